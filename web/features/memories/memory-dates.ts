import { localeOf } from "../../lib/locale.ts";

/** A calendar day as `YYYY-MM-DD`, in no time zone. */
export type Day = string;

/** A memory's dates as the table keeps them. */
export interface MemoryDays {
  kind: "tribute" | "event";
  birth_date: Day | null;
  passing_date: Day | null;
  event_date: Day | null;
}

/** How a memory's dates are said; `first` and `last` are already written out. */
export type SaidDates =
  | { says: "life"; first: string; last: string }
  | { says: "born"; first: string }
  | { says: "died"; last: string }
  | { says: "on"; first: string };

/**
 * Writes a day out in a language, as "12 March 1931". Days are read and written in UTC, so the reader's time zone can
 * not turn a birthday into the day before. English is written the British way, as the product's prices are.
 */
export function writtenDay(day: Day, language: string, dateStyle: "long" | "medium" = "long"): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle, timeZone: "UTC" }).format(atNoonUtc(day));
}

/** Writes a date out as exactly as it is known: a year, a month as `1998-05`, or a day; with a short month where asked. */
export function writtenDate(date: string, language: string, short = false): string {
  const [year = "", month, day] = date.split("-");
  if (day) return writtenDay(date, language, short ? "medium" : "long");
  if (!month) return year;
  const format = new Intl.DateTimeFormat(localeOf(language), {
    month: short ? "short" : "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(atNoonUtc(`${date}-15`));
}

/** What there is to say of a memory's dates, or undefined when none is known. */
export function saidDates(memory: MemoryDays, language: string): SaidDates | undefined {
  const written = (day: Day | null) => (day ? writtenDay(day, language) : undefined);
  if (memory.kind === "event") {
    const first = written(memory.event_date);
    return first ? { says: "on", first } : undefined;
  }
  const [first, last] = [written(memory.birth_date), written(memory.passing_date)];
  if (first && last) return { says: "life", first, last };
  if (first) return { says: "born", first };
  return last ? { says: "died", last } : undefined;
}

/** Noon of a day in UTC: no time zone's clock is more than half a day away. */
export function atNoonUtc(day: Day): Date {
  return new Date(`${day}T12:00:00Z`);
}
