/** Characters of a passphrase in its normal form. */
export const PASSPHRASE_LENGTH = { min: 6, max: 64 } as const;

/**
 * Normalises a passphrase for comparison. Phones capitalise the first letter, and keyboards encode the same accent in two
 * ways; a person who heard it over the telephone knows neither. All of these match.
 */
export const normalPassphrase = (text: string): string =>
  text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** Whether a passphrase in its normal form may be one. */
export function isPassphrase(normal: string): boolean {
  const { length } = [...normal];
  return length >= PASSPHRASE_LENGTH.min && length <= PASSPHRASE_LENGTH.max;
}
