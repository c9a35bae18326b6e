/** Returns a story's text without markup, one line per paragraph. Loads no resources and runs no scripts of it. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<\/(p|h\d|li|blockquote|figcaption)>|<[bh]r\s*\/?>/g, "$&\n"),
    "text/html",
  );
  return (body.textContent ?? "").replaceAll(/\n{2,}/g, "\n").trim();
}
