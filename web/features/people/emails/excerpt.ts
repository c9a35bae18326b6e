/** Characters; Spec §9. */
const EXCERPT_LENGTH = 200;

/** The beginning of a description as plain text, cut after 200 characters with an ellipsis; all of it where it is no longer. */
export function excerpt(html: string): string {
  const text = new DOMParser()
    // Words of neighbouring paragraphs would run into each other.
    .parseFromString(html.replaceAll(/<(\/(p|h2|h3|li|blockquote|figcaption)|br|hr)>/g, " $&"), "text/html")
    .body.textContent.replaceAll(/\s+/g, " ")
    .trim();
  return shortened(text);
}

/** Cut by characters as people count them, so that no sign is halved. */
export function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_LENGTH) return text;
  return `${characters.slice(0, EXCERPT_LENGTH).join("").trimEnd()}…`;
}
