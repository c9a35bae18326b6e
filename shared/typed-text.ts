/**
 * What people type and paste, in one form; addresses are in `typed-address.ts`, searches in `search-key.ts`. Browser and
 * server use these functions; the database has the same rules in `auth.typed_line`, `auth.typed_address` and
 * `private.search_key`, and `tests/policies/typed-text.test.ts` compares them.
 */

/**
 * Characters that nobody sees and that copies from contacts, chats and PDF files contain: soft hyphens, zero-width
 * spaces, marks and isolates of text direction, byte order marks, letters without a shape. Joiners stay out: Persian names and emoji need them.
 */
const INVISIBLE =
  /[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
/** Joiners, and the variation selectors, keycaps and tags of emoji. */
const JOINERS = /\u200c|\u200d|\u20e3|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;

/** The longest line or code that is read, in characters; every limit of what people type is lower. */
const LONGEST_TYPED = 2000;

/** The part of a text that is read. Ordering the accents of a letter with a million of them takes minutes. */
export const beginningOf = (text: string): string => text.slice(0, LONGEST_TYPED);

/** Returns a text without invisible characters and joiners. */
export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE, "").replaceAll(JOINERS, "");

/** Returns one line of text, such as a name: composed, without invisible characters, with single spaces. */
export const typedLine = (text: string): string =>
  beginningOf(text)
    .normalize("NFC")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\s\u0085\p{Cc}]+/gu, " ")
    // Nothing to join.
    .replaceAll(/(^| )[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?= |$)/g, "$1")
    .trim();

/** Returns text with digits of all scripts as ASCII digits, e.g. `٤٨٢١` and `４８２１` as `4821`. */
export const asciiDigits = (text: string): string =>
  // The digits of each script are ten consecutive characters, and those of zero end with the value zero in Unicode.
  text.replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));

function digitValue(point: number): number {
  // Mathematical digits come in five alphabets, one after the other.
  if (point >= 0x1d7ce && point <= 0x1d7ff) return (point - 0x1d7ce) % 10;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return point - zero;
}

/** Returns a code of digits without the spaces and hyphens that people put into it, and with ASCII digits. */
export const typedCode = (text: string): string =>
  asciiDigits(withoutInvisible(beginningOf(text)).normalize("NFKC")).replaceAll(/[\s.\-‐-―]/g, "");

/**
 * Returns the code of a voucher as stored: capitals, digits and hyphens, without the spaces, quotation marks and
 * punctuation that a copy brings along.
 */
export const typedVoucher = (text: string): string =>
  asciiDigits(withoutInvisible(beginningOf(text)).normalize("NFKC"))
    .replaceAll(/[\s"'“”„‘’«»‹›().,;:!?<>{}*_`´|/[\]\\]+/g, "")
    .replaceAll(/[‐-―−]/g, "-")
    .toUpperCase()
    .replaceAll(/^-+|-+$/g, "");

/**
 * Returns the share id in the end of a link. Chats put punctuation, brackets and invisible characters around it, also
 * percent-encoded, and the next word directly behind it.
 */
export const typedShareId = (text: string): string =>
  /^(?:%[0-9A-Fa-f]{2}|[^0-9A-Za-z])*([0-9A-Za-z]{0,22})/.exec(
    withoutInvisible(beginningOf(text)).normalize("NFKC"),
  )?.[1] ?? "";

/** Whether a text has the form of a share id. Anything else is the rest of a link that was cut off. */
export const isShareId = (text: string): boolean => /^[0-9A-Za-z]{22}$/.test(text);

/** Returns the code of six digits in a typed or pasted text; the text without spaces if there is not exactly one. */
export function codeIn(text: string): string {
  const alone = typedCode(text);
  if (/^[0-9]{6}$/.test(alone)) return alone;
  // Digits of a link are no code.
  const clean = asciiDigits(withoutInvisible(text).normalize("NFKC")).replaceAll(/\S*\/\/\S*/g, " ");
  const codes = new Set([...clean.matchAll(/(?<!\w)[0-9]{3}[ -]?[0-9]{3}(?!\w)/g)].map(([code]) => typedCode(code)));
  return codes.size === 1 ? ([...codes][0] ?? "") : alone;
}
