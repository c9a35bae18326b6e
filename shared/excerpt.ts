const LENGTH = 200;

/** The first 200 characters of what somebody wrote, on one line, with an ellipsis where there is more. */
export function excerpt(words: string): string {
  const line = words.replaceAll(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length > LENGTH ? `${letters.slice(0, LENGTH).join("").trimEnd()}…` : line;
}
