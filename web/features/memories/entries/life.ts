import type { Day } from "../memory-dates.ts";
import type { Entry } from "./entries.queries.ts";

/** Something on the timeline of a life. `date` is as exact as it is known: `1931`, `1931-03` or `1931-03-12`. */
export type LifeMoment =
  | { is: "born" | "died"; date: string }
  | { is: "entry"; date: string | undefined; entry: Entry };

interface Life {
  birth_date: Day | null;
  passing_date: Day | null;
}

const LENGTHS = { day: "YYYY-MM-DD".length, month: "YYYY-MM".length, year: "YYYY".length };

/** The part of an entry's date that is known. */
export const knownDate = ({ on_date, date_precision }: Pick<Entry, "on_date" | "date_precision">) =>
  on_date?.slice(0, LENGTHS[date_precision]);

/** The year of a date as it is said: 0988 is 988. */
export const yearOf = (date: string) => String(Number(date.slice(0, LENGTHS.year)));

/**
 * A life in the order in which it was lived, from birth to passing and beyond. A moment of which only the year or month is
 * known comes after those known better, but never after the passing in the same year; moments without a date come last.
 */
export function lifeOf({ birth_date, passing_date }: Life, entries: readonly Entry[]): LifeMoment[] {
  const ordered = entries.map((entry): [string, number, LifeMoment] => {
    const date = knownDate(entry);
    const moment: LifeMoment = { is: "entry", date, entry };
    if (!date) return ["~", 2, moment];
    if (date.length === LENGTHS.day) return [date, 2, moment];
    return passing_date?.startsWith(date) ? [passing_date, 0, moment] : [`${date}-99`, 2, moment];
  });
  if (birth_date) ordered.push([birth_date, -1, { is: "born", date: birth_date }]);
  if (passing_date) ordered.push([passing_date, 1, { is: "died", date: passing_date }]);
  return ordered
    .sort(([a, rankA, one], [b, rankB, other]) => compare(a, b) || rankA - rankB || compare(added(one), added(other)))
    .map(([, , moment]) => moment);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const added = (moment: LifeMoment) => (moment.is === "entry" ? moment.entry.created_at : "");
