import { isUnseen, STORY_ATTRIBUTES, storyLink } from "../../../shared/story-html.ts";
import { writtenChecks, writtenSigns } from "./pasted-signs.ts";

const GONE =
  "script, style, meta, link, title, template, noscript, iframe, object, svg, math, img, video, audio, button, select, a.sdcommentanc, div[id^=sdcomment]";
const RENAMED: Record<string, string> = { H1: "h2", H4: "h3", H5: "h3", H6: "h3", B: "strong", I: "em" };

/**
 * Converts HTML copied from a word processor or web page to story HTML: two heading levels, real lists for paragraphs
 * that only look like lists, and bold and italics for such styles. Drops colours, sizes, foreign pictures and comments.
 */
export function pastedHtml(html: string): string {
  // Copied from one of our editors: already valid, including photos.
  if (html.includes("data-pm-slice")) return html;
  // A template's content is inert: nothing runs or loads, so the content security policy reports no violations.
  const template = document.createElement("template");
  template.innerHTML = html;
  const body = template.content.ownerDocument.createElement("div");
  body.append(template.content);
  const rules = [...body.querySelectorAll("style")].map(({ textContent }) => textContent).join("\n");
  obey(body, rules);
  writtenChecks(body);
  writtenSigns(body);
  for (const element of body.querySelectorAll(GONE)) element.remove();
  for (const comment of commentsIn(body)) comment.remove();
  fieldCodes(body);
  unseen(body);
  writtenLines(body);
  drawnLists(body);
  for (const element of body.querySelectorAll<HTMLElement>("*")) styledLetters(element);
  for (const element of [...body.querySelectorAll<HTMLElement>("*")]) plain(element);
  for (const line of body.querySelectorAll("br")) if (endsNothing(line)) line.remove();
  for (const block of body.querySelectorAll("p, h2, h3, li, blockquote")) {
    if (!block.textContent?.trim() && !block.querySelector("figure")) block.remove();
  }
  return body.innerHTML;
}

const STRUCK_STYLE = /(^|;)\s*(text-decoration(-line)?:[^;]*line-through|text-line-through:\s*(single|double))/i;

/**
 * Whether a text is struck through: taken back by its writer or by a reviewer. A story has no such letters, in which it
 * would say the opposite.
 */
const isStruck = (name: string, style: string) => name === "s" || name === "strike" || STRUCK_STYLE.test(style);

/** Writes the source's style rules into the elements that they match, whose own styles come last. */
function obey(body: HTMLElement, rules: string) {
  const always = rules
    .replace(/<!--|-->|\/\*[\s\S]*?\*\//g, "")
    .replace(/@(media|supports)[^{]*\{([^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  for (const [, selector = "", style = ""] of [...always.matchAll(/([^{}]+)\{([^{}]*)\}/g)].reverse()) {
    for (const element of matching(body, selector)) {
      element.setAttribute("style", `${style.trim()};${element.getAttribute("style") ?? ""}`);
    }
  }
}

/** Removes the instructions of Word's fields, e.g. of a date, and keeps what they show. */
function fieldCodes(body: HTMLElement) {
  const part = (node: Node | null) =>
    node instanceof HTMLElement ? /mso-element:\s*field-(\w+)/i.exec(node.getAttribute("style") ?? "")?.[1] : undefined;
  for (const begin of [...body.querySelectorAll("span[style]")].filter((span) => part(span) === "begin")) {
    while (begin.nextSibling && !part(begin.nextSibling)) begin.nextSibling.remove();
  }
}

/** Removes text that readers of the source do not see. */
function unseen(body: HTMLElement) {
  for (const element of body.querySelectorAll<HTMLElement>("*")) {
    const name = element.tagName.toLowerCase();
    const style = element.getAttribute("style") ?? "";
    if (isUnseen(name, style, element.className, element.hidden !== false) || isStruck(name, style)) element.remove();
  }
}

/** Elements that a selector matches; none for a selector of another program's own syntax. */
function matching(body: HTMLElement, selector: string): Iterable<Element> {
  try {
    return body.querySelectorAll(selector);
  } catch {
    return [];
  }
}

const BLOCKS =
  "address, article, blockquote, dd, div, dl, dt, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, section, table, ul";

/** Turns the line ends of text in which they count, e.g. in a chat message, into line breaks. */
function writtenLines(body: HTMLElement) {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.includes("\n") || !keepsLines(text.parentElement)) continue;
    // Between blocks, line ends only lay out the source.
    if (!text.data.trim() && text.parentElement?.querySelector(`:scope > :is(${BLOCKS})`)) continue;
    const lines = text.data.replace(/\r\n?/g, "\n").split("\n");
    text.replaceWith(...lines.flatMap((line, index) => (index > 0 ? [document.createElement("br"), line] : [line])));
  }
}

function keepsLines(element: HTMLElement | null): boolean {
  if (!element) return false;
  const { whiteSpace } = element.style;
  if (whiteSpace) return /^(pre|break-spaces)/.test(whiteSpace);
  return /^(PRE|TEXTAREA|LISTING)$/.test(element.tagName) || keepsLines(element.parentElement);
}

/** Whether a line break at a block's edge or between blocks only adds space. */
function endsNothing(line: Element): boolean {
  const blocks = /^(P|H2|H3|UL|OL|LI|BLOCKQUOTE|DIV|TABLE|HR|FIGURE)$/;
  const edge = (side: "previousSibling" | "nextSibling") => {
    let node = line[side];
    while ((node instanceof Text && !node.data.trim()) || node instanceof HTMLBRElement) node = node[side];
    return node === null || (node instanceof Element && blocks.test(node.tagName));
  };
  return edge("previousSibling") && edge("nextSibling");
}

function commentsIn(root: Node): Comment[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Comment[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  return comments;
}

/** Word exports list items as paragraphs with a bullet text: each becomes an item at its nesting depth. */
function drawnLists(body: HTMLElement) {
  let lists: HTMLElement[] = [];
  let last: Element | undefined;
  let lastName = "";
  for (const paragraph of [...body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")]) {
    const style = paragraph.getAttribute("style") ?? "";
    const [, name = "", depth = "0"] = /mso-list:\s*(\w+)[^;]*\blevel(\d)/i.exec(style) ?? [];
    const level = Number(depth);
    if (level === 0) continue;
    const mark = [...paragraph.querySelectorAll("span")].find((span) => /mso-list:\s*ignore/i.test(span.outerHTML));
    const kind = /^\s*(\d+|[a-z]{1,4})[.)]/i.test(mark?.textContent ?? "") ? "ol" : "ul";
    mark?.remove();
    if (paragraph.previousElementSibling !== last || name !== lastName) lists = [];
    lastName = name;
    lists = lists.slice(0, level);
    while (lists.length < level) {
      const list = document.createElement(kind);
      const around = lists.at(-1);
      if (around) (around.lastElementChild ?? around.appendChild(document.createElement("li"))).append(list);
      else paragraph.before(list);
      lists.push(list);
    }
    const item = document.createElement("li");
    const text = document.createElement("p");
    text.append(...paragraph.childNodes);
    item.append(text);
    lists.at(-1)?.append(item);
    paragraph.remove();
    last = lists[0];
  }
}

/** Replaces bold and italic styles by elements, and unwraps a `b` that a style makes normal. */
function styledLetters(element: HTMLElement) {
  const { fontWeight, fontStyle } = element.style;
  const bold = /^bold/.test(fontWeight) || Number(fontWeight) >= 600;
  const inHeading = element.closest("h1, h2, h3, h4, h5, h6") !== null;
  if (element.tagName === "SPAN") {
    if (bold && !inHeading) wrap(element, "strong");
    if (/^(italic|oblique)/.test(fontStyle)) wrap(element, "em");
  }
  const plainB = /^(B|STRONG)$/.test(element.tagName) && (fontWeight === "normal" || fontWeight === "400" || inHeading);
  if (plainB) element.replaceWith(...element.childNodes);
}

function wrap(element: HTMLElement, name: string) {
  const around = document.createElement(name);
  around.append(...element.childNodes);
  element.append(around);
}

/** The element's name in a story; tables are flattened to their cells. */
function nameOf(element: HTMLElement): string {
  const { tagName } = element;
  if (/^(TD|TH|CAPTION|DT|DD)$/.test(tagName)) return element.querySelector("p, div, ul, ol, h1, h2, h3") ? "div" : "p";
  if (/^(TABLE|THEAD|TBODY|TFOOT|TR|DL)$/.test(tagName)) return "div";
  return RENAMED[tagName] ?? (tagName.includes(":") ? "span" : tagName.toLowerCase());
}

/** Renames an element to its story equivalent and keeps only the allowed attributes. */
function plain(element: HTMLElement) {
  const name = nameOf(element);
  const clean = document.createElement(name);
  for (const attribute of STORY_ATTRIBUTES[name] ?? []) {
    const value = element.getAttribute(attribute);
    if (value !== null) clean.setAttribute(attribute, attribute === "href" ? (storyLink(value) ?? "") : value);
  }
  // OneNote and others number the items instead of the list.
  const first = name === "ol" && element.querySelector(":scope > li")?.getAttribute("value");
  if (first && !clean.hasAttribute("start") && first !== "1") clean.setAttribute("start", first);
  clean.append(...element.childNodes);
  element.replaceWith(clean);
}
