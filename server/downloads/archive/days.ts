import { writtenDate } from "../../../shared/written-date.ts";
import type { MemoryContents, Moment } from "../contents.ts";
import type { ArchiveTexts } from "./texts.ts";

/** A written-out day, in UTC so that no time zone shifts it. */
export const writtenDay = (day: string, { locale }: ArchiveTexts): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${day.slice(0, 10)}T12:00:00Z`),
  );

/** A memory's dates as text; empty without any. */
export function writtenDates(memory: MemoryContents, texts: ArchiveTexts): string {
  const alone = memory.kind === "event" || (memory.birth_date !== null && memory.passing_date !== null);
  const formatDate = (date: string | null) =>
    date ? writtenDate(date, texts.locale, { afterVerb: !alone }) : undefined;
  if (memory.kind === "event") return formatDate(memory.event_date) ?? "";
  const [first, last] = [formatDate(memory.birth_date), formatDate(memory.passing_date)];
  if (first && last) return `${first} – ${last}`;
  return first ? texts.born(first) : last ? texts.died(last) : "";
}

/** A date as text, with the known precision. */
export const writtenMoment = ({ on_date, starts_at }: Moment, { locale }: ArchiveTexts): string =>
  [on_date && writtenDate(on_date, locale), starts_at?.slice(0, "HH:MM".length)].filter(Boolean).join(", ");
