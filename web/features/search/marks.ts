import { searchKey, searchWords } from "../../../shared/search-key.ts";

/** A part of a text; marked ones match the search. */
export interface TextPart {
  text: string;
  marked: boolean;
}

const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’‘ʼ`´][\p{L}\p{N}\p{M}]+)*/gu;
const APOSTROPHE = /['’‘ʼ`´]/;
/** Words that the search itself leaves out, and that would be marked everywhere. */
const SMALL = new Set(
  "a an and at by for from in of on the to with di da de del della dei e gli i il in la le lo nel un una".split(" "),
);

/** Splits a text into parts, so that words that match a search can be marked: the same word, its beginning or another form. */
export function markedParts(text: string, find: string): TextPart[] {
  const terms = searchWords(find.replaceAll(new RegExp(APOSTROPHE, "g"), " ")).concat(searchWords(find));
  const sought = terms.length > 1 ? terms.filter((word) => !SMALL.has(word)) : terms;
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (!isMatch(match[0], sought)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), marked: false });
    parts.push({ text: match[0], marked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false });
  return parts;
}

function isMatch(token: string, terms: readonly string[]): boolean {
  const keys = [token, ...token.split(APOSTROPHE).slice(1)].map(searchKey).filter(Boolean);
  return terms.some((word) => keys.some((key) => key.startsWith(word) || isForm(key, word) || isNear(key, word)));
}

/** Whether two words differ only in their endings. */
function isForm(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorter && one[same] === other[same]) same++;
  return same >= 4 && same >= shorter - 2 && Math.max(one.length, other.length) - same <= 4;
}

/** Whether a letter is wrong, missing, additional or swapped, as in `private.misspellings`. */
function isNear(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 4 || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  const swapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return swapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
