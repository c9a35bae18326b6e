/**
 * What people type and paste, in one form. Browser and server use these functions; the database has the same rules in
 * `auth.typed_line`, `auth.typed_address` and `private.search_key`, and `tests/policies/typed-text.test.ts` compares them.
 */

/**
 * Characters that nobody sees and that copies from contacts, chats and PDF files contain: soft hyphens, zero-width
 * spaces, marks and isolates of text direction, byte order marks. Joiners stay out: Persian names and emoji need them.
 */
const INVISIBLE =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const JOINERS = /[\u200c\u200d]/g;

/** Returns a text without invisible characters and joiners. */
export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE, "").replaceAll(JOINERS, "");

/** Returns one line of text, such as a name: composed, without invisible characters, with single spaces. */
export const typedLine = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\s\u0085\p{Cc}]+/gu, " ")
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

/** Returns an email address as stored: of `Name <a@b>` and `mailto:a@b`, the address alone, in lower case. */
export function typedAddress(text: string): string {
  const line = typedLine(text).replaceAll(JOINERS, "").normalize("NFKC");
  const address = (/^[^<>]*<([^<>]+)>[ .,;]*$/.exec(line)?.[1] ?? line).trim();
  const mailable = /^mailto:/i.test(address) ? address.slice("mailto:".length).replace(/\?.*$/, "") : address;
  return mailable
    .replaceAll(/^['"]+|['"]+$/g, "")
    .replace(/[.,; ]+$/, "")
    .toLowerCase();
}

/** Returns an address that a program sends, without invisible characters and final punctuation. A name is no part of it. */
export const bareAddress = (text: string): string => (/[<>:"]/.test(text) ? typedLine(text) : typedAddress(text));

/** Returns a code of digits without the spaces and hyphens that people put into it, and with ASCII digits. */
export const typedCode = (text: string): string =>
  asciiDigits(text.normalize("NFKC").replaceAll(INVISIBLE, "").replaceAll(JOINERS, "")).replaceAll(/[\s.\-‐-―]/g, "");

/**
 * Returns the code of a voucher as stored: capitals, digits and hyphens, without the spaces, quotation marks and
 * punctuation that a copy brings along.
 */
export const typedVoucher = (text: string): string =>
  asciiDigits(text.replaceAll(INVISIBLE, "").replaceAll(JOINERS, "").normalize("NFKC"))
    .replaceAll(/[\s"'“”„‘’«»‹›().,;:!?<>{}*_`´|/[\]\\]+/g, "")
    .replaceAll(/[‐-―−]/g, "-")
    .toUpperCase()
    .replaceAll(/^-+|-+$/g, "");

/** Returns the share id at the beginning of a link's end: chats add punctuation, brackets and invisible characters. */
export const typedShareId = (text: string): string =>
  /^[0-9A-Za-z]*/.exec(text.replaceAll(INVISIBLE, "").replaceAll(JOINERS, "").trim())?.[0] ?? "";

const UNACCENTED: Record<string, string> = {
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ς: "σ",
};

/**
 * Returns the form in which names are searched: without accents, case, apostrophes and punctuation, with single spaces.
 * "D’Angelo" and "dangelo" are equal, and so are "İpek" and "ipek".
 */
export const searchKey = (text: string): string =>
  text
    .replaceAll(/['’‘ʼʹ`´ʻ]/g, "")
    .replaceAll(INVISIBLE, "")
    .replaceAll(JOINERS, "")
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[ıłøđðħŧŋĸßæœþς]/g, (letter) => UNACCENTED[letter] ?? letter)
    .replaceAll(/[\p{Cc}!-/:-@[-`{-\u00bf\u1680\u2000-\u206f\u3000-\u3003 ]+/gu, " ")
    .trim();

/** The words of a search, each of which a result must contain, in any order. */
export const searchWords = (text: string): string[] => searchKey(text).split(" ").filter(Boolean);

/** Returns the code of six digits in a typed or pasted text; the text without spaces if there is not exactly one. */
export function codeIn(text: string): string {
  const alone = typedCode(text);
  if (/^[0-9]{6}$/.test(alone)) return alone;
  const found = new Set(asciiDigits(text.normalize("NFKC")).match(/(?<![0-9])[0-9]{3}[ -]?[0-9]{3}(?![0-9])/g) ?? []);
  return found.size === 1 ? typedCode([...found][0] ?? "") : alone;
}
