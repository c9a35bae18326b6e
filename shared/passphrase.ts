/** Characters of a passphrase in its normal form. */
export const PASSPHRASE_LENGTH = { min: 6, max: 64 } as const;

/**
 * The form in which passphrases are compared. Phones begin with a capital by themselves, keyboards write the same accent in
 * two ways, and the person who was told it over the telephone knows neither: none of these makes it a different one.
 */
export const normalPassphrase = (text: string): string =>
  text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** Whether a passphrase in its normal form may be one. */
export function isPassphrase(normal: string): boolean {
  const { length } = [...normal];
  return length >= PASSPHRASE_LENGTH.min && length <= PASSPHRASE_LENGTH.max;
}
