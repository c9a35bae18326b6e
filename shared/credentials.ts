/** Pattern of an email address: one at sign, no whitespace, and a dot in the domain (Spec §9), which has no empty label. */
export const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** Maximum length of an email address in characters. */
export const LONGEST_EMAIL = 254;

/** Whether an address matches the pattern and has no characters with a special meaning in a mail header. */
export const isMailable = (address: string): boolean => EMAIL.test(address) && !/[\p{Cc}<>()[\]\\,;:"]/u.test(address);

/** Minimum length of a password in characters (Spec §5). */
export const SHORTEST_PASSWORD = 6;

/** Maximum length of a person's name in characters. */
export const LONGEST_NAME = 200;
