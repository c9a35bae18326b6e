/** The words of a story without their markup, as one line each for its paragraphs. Nothing in it is fetched or run. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<\/(p|h\d|li|blockquote|figcaption)>|<[bh]r\s*\/?>/g, "$&\n"),
    "text/html",
  );
  return (body.textContent ?? "").replaceAll(/\n{2,}/g, "\n").trim();
}
