import { withoutInvisible } from "./typed-text.ts";

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
  ȼ: "c",
  ɨ: "i",
  ƒ: "f",
  // Arabic letters of other keyboards.
  ى: "ي",
  ی: "ي",
  ک: "ك",
};

/** Accents, and the vowel signs of Hebrew and Arabic, which people rarely type. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g;

/**
 * Returns the form in which names are searched: without accents, case, apostrophes and punctuation, with single spaces.
 * "D’Angelo" and "dangelo" are equal, and so are "İpek" and "ipek".
 */
export const searchKey = (text: string): string =>
  withoutInvisible(text)
    .replaceAll(/['’‘ʼʹ`´ʻ]/g, "")
    // Ordering the accents of a letter takes quadratic time.
    .replaceAll(/(\S{250})(?=\S)/g, "$1 ")
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .toLowerCase()
    .replaceAll(/[ıłøđðħŧŋĸßæœþςȼɨƒىیک]/g, (letter) => UNACCENTED[letter] ?? letter)
    .replaceAll(/[\p{Cc}!-/:-@[-`{-\u00bf\u1680\u2000-\u206f\u3000-\u3003 ]+/gu, " ")
    .trim();

/** The words of a search, each of which a result must contain, in any order. */
export const searchWords = (text: string): string[] => searchKey(text).split(" ").filter(Boolean);
