import { typedCode, withoutInvisible } from "./typed-text.ts";

const SHARE_PATH = /\/shared\/([0-9A-Za-z]+)/g;
/** "PIN" as the product's messages and people name it before the digits. */
const LABELLED =
  /(?:\bPIN\b|\bcode\b|\bcodice\b)[^\p{L}\p{N}]{0,6}(?:(?:is|è|e')[^\p{L}\p{N}]{0,3})?(\p{Nd}(?:[ -]?\p{Nd}){3})(?![\p{Nd}-]|[ ]\p{Nd}|[ ]?(?:\/|,|or|o|oppure)[ ]?\p{Nd}{4}(?!\p{Nd}))/giu;

/**
 * Returns the PIN in a pasted text: four digits alone, or the digits after "PIN". A message with several links belongs to
 * the link `shareId`. Returns undefined rather than guess: a wrong guess would use up an attempt.
 */
export function pinIn(text: string, shareId?: string): string | undefined {
  // Quotation marks, brackets and a chat's signs of bold text are around it.
  const alone = typedCode(text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  if (/^[0-9]{4}$/.test(alone)) return alone;
  const clean = withoutInvisible(text).normalize("NFKC");
  const links = [...clean.matchAll(SHARE_PATH)];
  const ids = new Set(links.map(([, id]) => id));
  if (shareId !== undefined && ids.size > 0 && !ids.has(shareId)) return undefined;
  const own =
    ids.size < 2
      ? clean
      : links
          .map(({ index, 1: id }, at) => (id === shareId ? clean.slice(index, links[at + 1]?.index) : ""))
          .join("\n");
  // Digits of the link's id are no PIN.
  const pins = new Set([...own.replaceAll(/\S*\/\S*/g, " ").matchAll(LABELLED)].map(([, pin = ""]) => typedCode(pin)));
  return pins.size === 1 ? [...pins][0] : undefined;
}
