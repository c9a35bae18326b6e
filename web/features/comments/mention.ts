/** A person who can be mentioned. */
export interface MemoryPerson {
  id: string;
  name: string;
  role: string;
}

/** An unfinished mention: its position, and the text after the "@". */
export interface Wish {
  from: number;
  text: string;
}

const LONGEST_WISH = 40;

/** The unfinished mention before the caret, if any. */
export function wishAt(text: string, caret: number): Wish | undefined {
  const from = text.lastIndexOf("@", caret - 1);
  if (from < 0 || caret - from > LONGEST_WISH) return undefined;
  const before = text[from - 1];
  // An "@" within a word belongs to an email address.
  if (before !== undefined && /[\p{L}\p{N}_.]/u.test(before)) return undefined;
  const typed = text.slice(from + 1, caret);
  return /[\n@]|\s\s|^\s/.test(typed) ? undefined : { from, text: typed };
}

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const MOST = 6;

/** Returns people whose name contains a word that begins with the text, ignoring accents and case. */
export function suggested(people: readonly MemoryPerson[], typed: string): MemoryPerson[] {
  const begun = plain(typed);
  const isMeant = ({ name }: MemoryPerson) => {
    const plainName = plain(name);
    return name !== "" && (plainName.startsWith(begun) || plainName.includes(` ${begun}`));
  };
  return people.filter(isMeant).slice(0, MOST);
}

/** The text with the completed name, and the new caret position. */
export function withMention(text: string, { from, text: begun }: Wish, { name }: MemoryPerson) {
  const before = `${text.slice(0, from)}@${name} `;
  const after = text.slice(from + 1 + begun.length).replace(/^ /, "");
  return { text: before + after, caret: before.length };
}

/** The ids of the people whom a text mentions. */
export const mentionedIn = (text: string, people: readonly MemoryPerson[]): string[] =>
  people.flatMap(({ id, name }) => (name && text.includes(`@${name}`) ? [id] : []));
