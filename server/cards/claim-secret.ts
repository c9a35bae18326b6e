import { randomBytes } from "node:crypto";

/** Without letters that are read as figures; as of the codes of cards. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/** A secret that claims a card: 50 bits, to be typed from paper; kept as a hash, and shown once. */
export const newClaimSecret = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** As it is printed and typed: in two groups. */
export const groupedSecret = (secret: string): string => `${secret.slice(0, LENGTH / 2)}-${secret.slice(LENGTH / 2)}`;
