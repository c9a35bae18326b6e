/** Signs of Microsoft's picture fonts, by the letters that stand for them. Outlook writes a smile as a J. */
const WINGDINGS: Record<string, string> = {
  J: "☺",
  K: "😐",
  L: "☹",
  à: "→",
  ß: "←",
  ü: "✓",
  û: "✗",
  þ: "☑",
  o: "☐",
  "¨": "☐",
};

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u;
const PICTOGRAM = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Writes as characters what other programs say by elements, pictures and fonts that a story does not have. */
export function writtenSigns(body: HTMLElement) {
  // Chats and mails draw emoji as pictures.
  for (const image of body.querySelectorAll("img")) {
    if (EMOJI.test(image.alt) && PICTOGRAM.test(image.alt)) image.replaceWith(image.alt);
  }
  for (const quotation of body.querySelectorAll("q")) quotation.replaceWith("“", ...quotation.childNodes, "”");
  for (const reading of body.querySelectorAll("rt")) {
    if (!reading.parentElement?.querySelector("rp")) reading.replaceWith("(", ...reading.childNodes, ")");
  }
  for (const element of body.querySelectorAll<HTMLElement>("sup, sub, span[style]")) {
    const { verticalAlign, fontFamily } = element.style;
    const text = element.textContent ?? "";
    if (/^\d+$/.test(text) && (element.tagName === "SUP" || verticalAlign === "super")) raise(element, SUPERSCRIPTS);
    else if (/^\d+$/.test(text) && (element.tagName === "SUB" || verticalAlign === "sub")) raise(element, SUBSCRIPTS);
    else if (/wingdings/i.test(fontFamily) && text.length === 1) element.textContent = WINGDINGS[text] ?? text;
  }
}

function raise(element: HTMLElement, digits: string) {
  element.replaceWith((element.textContent ?? "").replace(/\d/g, (digit) => digits[Number(digit)] ?? digit));
}

/** Writes the boxes of a list to check as characters. What is checked is struck through there, and was not taken back. */
export function writtenChecks(body: HTMLElement) {
  for (const box of body.querySelectorAll<HTMLElement>("li[role=checkbox], input[type=checkbox]")) {
    const isInput = box instanceof HTMLInputElement;
    const isChecked = isInput ? box.hasAttribute("checked") : box.getAttribute("aria-checked") === "true";
    const item = box.closest("li");
    for (const struck of item?.querySelectorAll<HTMLElement>("[style]") ?? []) struck.style.textDecoration = "";
    const mark = isChecked ? "☑ " : "☐ ";
    if (isInput) box.replaceWith(mark);
    else (box.querySelector("p, div") ?? box).prepend(mark);
  }
}
