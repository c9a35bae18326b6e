import { searchKey } from "../../../../shared/search-key.ts";
import { typedLine } from "../../../../shared/typed-text.ts";
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

type Fault = "empty" | "long" | "year" | "order" | "many";

interface PersonText {
  name: string;
  /** Other names, with commas between them. */
  others: string;
  born: string;
  died: string;
}

interface TypedPerson {
  /** Undefined if there is a fault. */
  values: { name: string; other_names: string[]; born_year: number | null; died_year: number | null } | undefined;
  faults: Partial<Record<keyof PersonText, Fault>>;
}

const MOST_NAMES = 20;

/** A year as typed: null for none, undefined if it is no year from 1 to 9999. */
function yearOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  const year = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return year > 0 ? year : undefined;
}

/** What a person's form says, with the rules of the database. */
export function personValues({ name: typed, others, born, died }: PersonText): TypedPerson {
  const faults: TypedPerson["faults"] = {};
  const name = typedLine(typed);
  const other_names = [...new Set(others.split(/[,;]/).map(typedLine))].filter((one) => one !== "" && one !== name);
  const [born_year, died_year] = [yearOf(born), yearOf(died)];
  if (name === "") faults.name = "empty";
  else if (name.length > LONGEST_NAME) faults.name = "long";
  if (other_names.length > MOST_NAMES) faults.others = "many";
  else if (other_names.some(({ length }) => length > LONGEST_NAME)) faults.others = "long";
  if (born_year === undefined) faults.born = "year";
  if (died_year === undefined) faults.died = "year";
  else if (born_year && died_year && died_year < born_year) faults.died = "order";
  if (born_year === undefined || died_year === undefined || Object.keys(faults).length > 0)
    return { values: undefined, faults };
  return { values: { name, other_names, born_year, died_year }, faults };
}
