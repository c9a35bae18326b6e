import { randomBytes } from "node:crypto";

/** Digits and letters, without letters that look like digits. Card codes use the same alphabet. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/** Generates the secret that claims a card: 50 bits, typed from paper. It is shown once and stored as a hash. */
export const newClaimSecret = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** Formats a secret for print, in two groups. */
export const groupedSecret = (secret: string): string => `${secret.slice(0, LENGTH / 2)}-${secret.slice(LENGTH / 2)}`;
