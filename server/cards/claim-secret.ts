import { randomBytes } from "node:crypto";

/** Without letters that look like digits; card codes use the same alphabet. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/** A secret that claims a card: 50 bits, typed from paper; stored as a hash, and shown once. */
export const newClaimSecret = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** The printed form: two groups. */
export const groupedSecret = (secret: string): string => `${secret.slice(0, LENGTH / 2)}-${secret.slice(LENGTH / 2)}`;
