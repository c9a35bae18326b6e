import { searchKey, typedLine } from "../../../../shared/typed-text.ts";
import type { PicturedPerson } from "../../../data/pictured.ts";

/** The longest name, as in the database. */
export const LONGEST_NAME = 200;
const MOST_CHOICES = 8;

/**
 * The people that a typed text may mean, by any of their names: those whose name begins with it first, then those with a
 * word that does. Without a text, those with most photos.
 */
export function personChoices(people: readonly PicturedPerson[], text: string): PicturedPerson[] {
  const sought = searchKey(text);
  if (sought === "") return people.toSorted((a, b) => b.mediaIds.size - a.mediaIds.size).slice(0, MOST_CHOICES);
  const rank = ({ name, otherNames }: PicturedPerson) => {
    const keys = [name, ...otherNames].map(searchKey);
    if (keys.includes(sought)) return 0;
    if (keys.some((key) => key.startsWith(sought))) return 1;
    return keys.some((key) => ` ${key}`.includes(` ${sought}`)) ? 2 : 3;
  };
  return people
    .map((person) => ({ person, rank: rank(person) }))
    .filter((choice) => choice.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_CHOICES)
    .map(({ person }) => person);
}

/** The name of a new person from a typed text; undefined without one, or if it is too long. */
export function newName(text: string): string | undefined {
  const name = typedLine(text);
  return name === "" || name.length > LONGEST_NAME ? undefined : name;
}

/** The years of a person as text, for example "1923–1998"; undefined if none is known. */
export function yearsText({ bornYear, diedYear }: Pick<PicturedPerson, "bornYear" | "diedYear">): string | undefined {
  if (bornYear === null && diedYear === null) return undefined;
  return `${bornYear ?? ""}–${diedYear ?? ""}`;
}
