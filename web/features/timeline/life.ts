import { type ApproximateDate, dateOrder, daysOf } from "../../../shared/approximate-date.ts";
import type { Entry } from "../../data/timeline.queries.ts";

/** Something on the timeline of a life. */
export type LifeMoment =
  | { is: "born" | "died"; date: ApproximateDate }
  | { is: "entry"; date: ApproximateDate | null; entry: Entry };

interface Life {
  birth_date: ApproximateDate | null;
  passing_date: ApproximateDate | null;
}

/** The year of a date as it is said, 0988 as 988; undefined for a whole decade. */
export const yearOf = (date: ApproximateDate) => (/^\d{4}/.test(date) ? String(Number(date.slice(0, 4))) : undefined);

const RANKS = { born: 0, entry: 1, died: 2 };

/**
 * A life in the order in which it was lived, by the order of approximate dates. Birth stands at its earliest and passing at its
 * latest day; a moment of which the whole year of birth is all that is known comes after the birth. Moments without a date come last.
 */
export function lifeOf({ birth_date, passing_date }: Life, entries: readonly Entry[]): LifeMoment[] {
  const moments: LifeMoment[] = entries.map((entry) => ({ is: "entry", date: entry.on_date, entry }));
  if (birth_date) moments.push({ is: "born", date: birth_date });
  if (passing_date) moments.push({ is: "died", date: passing_date });
  const birth = birth_date && daysOf(birth_date);
  const orderOf = ({ is, date }: LifeMoment) => {
    const days = date && daysOf(date);
    if (!date || !days) return "~";
    if (is === "died") return `${days.last}~`;
    const sinceBirth = birth && days.first < birth.first && birth.first <= days.last;
    return sinceBirth ? `${birth.first}~` : (dateOrder(date) ?? "~");
  };
  return moments.sort(
    (one, other) =>
      compare(orderOf(one), orderOf(other)) || RANKS[one.is] - RANKS[other.is] || compare(added(one), added(other)),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const added = (moment: LifeMoment) => (moment.is === "entry" ? moment.entry.created_at : "");
