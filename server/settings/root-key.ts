import { keysIn } from "./secrets.ts";

/** The least number of different bytes in a root key. Of 32 random bytes, fewer differ once in seven billion keys. */
const DIFFERENT_BYTES = 20;
/** The length of text that must not occur twice. In a random key of 44 characters it does once in three billion keys. */
const REPEATED_LENGTH = 8;
const TYPED_WORD = /secret|password|example|family|memor[iy]|mother|father|rootkey|install/i;
/** Letters and signs in a row among the bytes, as in text. Random bytes have so many once in a hundred million keys. */
const TEXT_LENGTH = 20;
/** Random keys as hexadecimal text have as many bits as others; each digit counts four. */
const HEXADECIMAL_KEY = /^(?=.*[a-f])(?=.*\d)[0-9a-f]{64,}$/i;

/** What is wrong with a base64 root key that was typed or repeated rather than generated at random; undefined for others. */
export function rootKeyProblem(value: string): string | undefined {
  return keysIn(value).map(problemOfKey).find(Boolean);
}

function problemOfKey(value: string): string | undefined {
  const bytes = Buffer.from(value, "base64");
  // Its format and length have messages of their own.
  if (bytes.length < 32) return undefined;
  const steps = bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0));
  const isGuessable =
    longestText(bytes) >= TEXT_LENGTH ||
    isTyped(value) ||
    new Set(bytes).size < DIFFERENT_BYTES ||
    new Set(steps).size < DIFFERENT_BYTES ||
    TYPED_WORD.test(value) ||
    hasRepeatedPart(value.toLowerCase());
  return isGuessable ? "can be guessed, because it is not random" : undefined;
}

/** The number of printable ASCII characters in a row. */
const longestText = (bytes: Buffer) =>
  Math.max(...[...bytes.toString("latin1").matchAll(/[\x20-\x7e]*/g)].map(([run]) => run.length));

/**
 * Whether a key is text rather than base64: of letters of one case, or with small letters mostly side by side. Of random
 * keys of 32 bytes, one in 200,000 is, of longer ones fewer.
 */
function isTyped(value: string): boolean {
  if (HEXADECIMAL_KEY.test(value)) return false;
  const pairs = value.match(/(?<=[a-z])[a-z]/g)?.length ?? 0;
  return !/[a-z]/.test(value) || !/[A-Z]/.test(value) || pairs > 0.53 * value.replace(/=+$/, "").length;
}

function hasRepeatedPart(text: string): boolean {
  const parts = Array.from({ length: Math.max(0, text.length - REPEATED_LENGTH + 1) }, (_, at) =>
    text.slice(at, at + REPEATED_LENGTH),
  );
  return new Set(parts).size < parts.length;
}
