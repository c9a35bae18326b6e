import { dateFormat } from "../../../shared/date-format.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const relative = (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** How long ago a moment was, as "now", "2 hours ago" or "yesterday" by the reader's clock; its date once a week has passed. */
export function timeAgo(at: Date, now: Date, locale: string): string {
  // Clocks differ a little: nothing has happened in the future.
  const ago = Math.max(0, now.getTime() - at.getTime());
  if (ago < MINUTE_MS) return relative(locale).format(0, "second");
  if (ago < HOUR_MS) return relative(locale).format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return relative(locale).format(-Math.floor(ago / HOUR_MS), "hour");
  return dayAgo(at, now, locale);
}

/** "Today", "yesterday", "3 days ago" by the reader's calendar; the date once a week has passed. */
export const dayAgo = (at: Date, now: Date, locale: string): string =>
  daysBetween(at, now) < 7 ? daysAgo(at, now, locale) : dateFormat(locale, { dateStyle: "long" }).format(at);

/** The same however long ago it was, as "20 days ago". */
export const daysAgo = (at: Date, now: Date, locale: string): string =>
  relative(locale).format(-daysBetween(at, now), "day");

/** Midnights that lie between two moments; 0 where the second is the earlier one. A day may have 23 hours. */
export function daysBetween(first: Date, second: Date): number {
  const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.max(0, Math.round((midnight(second) - midnight(first)) / DAY_MS));
}
