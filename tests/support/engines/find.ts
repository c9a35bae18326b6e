/** What a person sees of an element: its role and its name, or the label of a field. */
export interface Wanted {
  role?: "button" | "link" | "heading" | "dialog" | "tab" | "switch" | "checkbox" | "menuitem" | "radio";
  /** The accessible name; a field's label. */
  name?: string;
  /** Any selector instead. */
  css?: string;
  /** Only inside the first element of this selector that is drawn. */
  inside?: string;
  /** Also elements that are not drawn, as inputs for files. */
  hidden?: boolean;
}

/**
 * The drawn element that is meant, or null. It runs in the page, so it uses nothing of this module. Names are compared
 * without differences of white space; a name that only begins alike is taken if none is the same.
 */
export function findInPage({ role, name, css, inside, hidden }: Wanted): Element | null {
  const ROLES: Record<string, string> = {
    button: "button, summary, [role=button], input[type=submit]",
    link: "a[href], [role=link]",
    heading: "h1, h2, h3, h4, [role=heading]",
    dialog: "[role=dialog], [role=alertdialog], dialog[open]",
    tab: "[role=tab]",
    switch: "[role=switch]",
    checkbox: "input[type=checkbox], [role=checkbox]",
    menuitem: "[role^=menuitem]",
    radio: "input[type=radio], [role=radio]",
  };
  const fields = "input, textarea, select, [contenteditable=true]";
  const tidy = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  const nameOf = (element: Element) => {
    const labelled = element.getAttribute("aria-labelledby");
    if (labelled)
      return tidy(
        labelled
          .split(/\s+/)
          .map((id) => document.getElementById(id)?.textContent)
          .join(" "),
      );
    const label = element.getAttribute("aria-label");
    if (label) return tidy(label);
    const labels = (element as HTMLInputElement).labels;
    if (labels?.length) return tidy([...labels].map(({ textContent }) => textContent).join(" "));
    return tidy(element.textContent) || tidy(element.querySelector("img")?.alt) || tidy(element.getAttribute("title"));
  };
  const isDrawn = (element: Element) =>
    hidden ||
    (element.getClientRects().length > 0 &&
      getComputedStyle(element).visibility !== "hidden" &&
      !element.closest("[inert], [aria-hidden=true]"));
  const within = inside ? [...document.querySelectorAll(inside)].find(isDrawn) : document;
  if (!within) return null;
  const all = [...within.querySelectorAll(css ?? (role ? (ROLES[role] ?? "") : fields))].filter(isDrawn);
  if (name === undefined) return all[0] ?? null;
  const own = tidy(name);
  return (
    all.find((element) => nameOf(element) === own) ?? all.find((element) => nameOf(element).startsWith(own)) ?? null
  );
}
