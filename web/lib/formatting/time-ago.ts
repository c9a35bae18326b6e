import { dateFormat } from "../../../shared/date-format.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const relative = (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** A moment as "now", "2 hours ago" or "yesterday" by the reader's clock; its date after a week. */
export function timeAgo(at: Date, now: Date, locale: string): string {
  // Clocks differ slightly, and no moment is in the future.
  const ago = Math.max(0, now.getTime() - at.getTime());
  if (ago < MINUTE_MS) return relative(locale).format(0, "second");
  if (ago < HOUR_MS) return relative(locale).format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return relative(locale).format(-Math.floor(ago / HOUR_MS), "hour");
  return dayAgo(at, now, locale);
}

/** A day as "today", "yesterday" or "3 days ago" by the reader's calendar; its date after a week. */
export const dayAgo = (at: Date, now: Date, locale: string): string =>
  daysBetween(at, now) < 7 ? daysAgo(at, now, locale) : dateFormat(locale, { dateStyle: "long" }).format(at);

/** Like {@link dayAgo}, but "20 days ago" also after a week. */
export const daysAgo = (at: Date, now: Date, locale: string): string =>
  relative(locale).format(-daysBetween(at, now), "day");

/** The number of midnights between two moments; 0 if the second is earlier. A day may have 23 hours. */
export function daysBetween(first: Date, second: Date): number {
  const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.max(0, Math.round((midnight(second) - midnight(first)) / DAY_MS));
}
