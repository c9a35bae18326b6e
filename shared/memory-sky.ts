import { type ApproximateDate, daysOf, parseDate } from "./approximate-date.ts";

/** A memory's kind and dates, with the column names of the table. */
export interface MemoryDays {
  kind: "tribute" | "event";
  birth_date: ApproximateDate | null;
  passing_date: ApproximateDate | null;
  event_date: ApproximateDate | null;
}

/** The parameters of a drawn sky. */
export interface SkyOf {
  moment: Date;
  stars: number;
  seed: string;
}

const TRIBUTE_HOURS = [5, 6, 19, 20, 21, 22];
const EVENT_HOURS = [7, 9, 11, 14, 17, 18];

/** Returns the sky of a memory without a cover: the season of its date, and an hour and stars derived from its id. */
export function skyOf(memory: MemoryDays & { id: string; created_at: string }): SkyOf {
  const date = memory.kind === "event" ? memory.event_date : (memory.passing_date ?? memory.birth_date);
  const number = hash(memory.id);
  const [year = 0, month = 1, day = 1] = dayFor(date ?? memory.created_at.slice(0, 10), number)
    .split("-")
    .map(Number);
  const hours = memory.kind === "event" ? EVENT_HOURS : TRIBUTE_HOURS;
  const moment = new Date(year, month - 1, day, hours[number % hours.length]);
  return { moment, stars: memory.kind === "tribute" ? 5 + (number % 7) : 0, seed: memory.id };
}

/** Returns the day that sets the season. For a year or decade, the month is derived from `number`. */
function dayFor(date: string, number: number): string {
  const parts = parseDate(date);
  if (parts?.precision === "year" || parts?.precision === "decade") {
    return `${parts.year}-${1 + ((number >>> 8) % 12)}-15`;
  }
  return daysOf(date)?.first ?? date;
}

/** Computes the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let number = 0x811c9dc5;
  for (const character of text) number = Math.imul(number ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return number;
}
