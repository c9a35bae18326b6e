import type { MemoryContents, Moment } from "../contents.ts";
import type { ArchiveWords } from "./words.ts";

/** A day written out. It is read and written in UTC, so that no clock makes it the day before. */
export const writtenDay = (day: string, { locale }: ArchiveWords): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${day.slice(0, 10)}T12:00:00Z`),
  );

/** The month of a day, as "June 2019". */
export const writtenMonth = (month: string, { locale }: ArchiveWords): string =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month.slice(0, 7)}-15T12:00:00Z`),
  );

/** A memory's dates in words; empty where none is known. */
export function writtenDates(memory: MemoryContents, words: ArchiveWords): string {
  const day = (date: string | null) => (date ? writtenDay(date, words) : undefined);
  if (memory.kind === "event") return day(memory.event_date) ?? "";
  const [first, last] = [day(memory.birth_date), day(memory.passing_date)];
  if (first && last) return `${first} – ${last}`;
  return first ? words.born(first) : last ? words.died(last) : "";
}

/** When something was, as exactly as it is known. */
export function writtenMoment({ on_date, date_precision, starts_at }: Moment, words: ArchiveWords): string {
  const parts: Record<Moment["date_precision"], Intl.DateTimeFormatOptions> = {
    day: { dateStyle: "long" },
    month: { month: "long", year: "numeric" },
    year: { year: "numeric" },
  };
  const format = new Intl.DateTimeFormat(words.locale, { ...parts[date_precision], timeZone: "UTC" });
  const day = on_date && format.format(new Date(`${on_date}T12:00:00Z`));
  return [day, starts_at?.slice(0, 5)].filter(Boolean).join(", ");
}
