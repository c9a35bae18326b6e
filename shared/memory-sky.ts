import { type ApproximateDate, daysOf, parseDate } from "./approximate-date.ts";

/** A memory's kind and dates, as in the table. */
export interface MemoryDays {
  kind: "tribute" | "event";
  birth_date: ApproximateDate | null;
  passing_date: ApproximateDate | null;
  event_date: ApproximateDate | null;
}

/** What a sky is made from. */
export interface SkyOf {
  moment: Date;
  stars: number;
  seed: string;
}

const TRIBUTE_HOURS = [5, 6, 19, 20, 21, 22];
const EVENT_HOURS = [7, 9, 11, 14, 17, 18];

/** The sky of a memory without a cover: its day's season, an hour and stars of its own, the same every time. */
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

/** The day that gives the season: where only the year is known, any month of it, but always the same. */
function dayFor(date: string, number: number): string {
  const parts = parseDate(date);
  if (parts?.precision === "year" || parts?.precision === "decade") {
    return `${parts.year}-${1 + ((number >>> 8) % 12)}-15`;
  }
  return daysOf(date)?.first ?? date;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let number = 0x811c9dc5;
  for (const character of text) number = Math.imul(number ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return number;
}
