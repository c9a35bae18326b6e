import { beginningOf } from "./typed-text.ts";

/** Minimum and maximum length of a normalised passphrase, in characters. */
export const PASSPHRASE_LENGTH = { min: 6, max: 64 } as const;

/**
 * Normalises a passphrase for comparison, ignoring case, extra spaces and Unicode encoding. Phones capitalise the first
 * letter, keyboards encode the same accent in two ways, and a person who heard the passphrase knows neither.
 */
export const normalPassphrase = (text: string): string =>
  beginningOf(text).normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** Whether a normalised passphrase has a valid length. */
export function isPassphrase(normal: string): boolean {
  const { length } = [...normal];
  return length >= PASSPHRASE_LENGTH.min && length <= PASSPHRASE_LENGTH.max;
}
