import { dateFormat } from "../../../shared/date-format.ts";
import { localTimeIn } from "../../../shared/zoned-time.ts";
import type { DayPart } from "../../data/day.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";

/** A day counts as passed this long after its last part has ended. */
const AFTER_MS = 12 * 3600_000;

/** Whether a memory's day has passed. */
export const isPast = (parts: readonly Pick<DayPart, "finishes_at">[], now: number): boolean =>
  parts.every(({ finishes_at }) => Date.parse(finishes_at) + AFTER_MS < now);

/** Formats a calendar day with its weekday, e.g. "Saturday, 9 May 2026". */
export const dayText = (day: string, language: string) =>
  dateFormat(localeOf(language), {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${day}T00:00Z`));

/** Formats a moment with its day and time in a time zone, e.g. "Saturday, 9 May at 13:45". */
export const momentText = (moment: string, zone: string, language: string) =>
  dateFormat(localeOf(language), {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  }).format(new Date(moment));

/** Formats a time of day: `15:30:00` becomes 15:30. */
export const clock = (time: string) => time.slice(0, "HH:MM".length);

/** Whether the reader's clock shows another time than the place's when a part begins. */
export function isElsewhere({ begins_at, starts_at, time_zone }: DayPart, readerZone: string): boolean {
  const begin = new Date(begins_at);
  return starts_at !== null && localTimeIn(readerZone, begin) !== localTimeIn(time_zone, begin);
}
