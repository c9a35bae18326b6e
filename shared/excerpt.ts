/** Length in characters (Spec §9). */
const LENGTH = 200;

/** Returns the first 200 characters of a text on one line, with an ellipsis if there are more. Splits no character. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH).join("").trimEnd()}…` : line;
}
