const DAY_MS = 86_400_000;

/** How many days ago something was deleted, as "today", "yesterday" or "3 days ago" by the reader's calendar. */
export const daysAgo = (at: Date, now: Date, locale: string): string =>
  new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-daysBetween(at, now), "day");

/** In how many days something is deleted for good, by the same calendar: 0 for today. */
export const daysLeft = (until: Date, now: Date): number => daysBetween(now, until);

/** Midnights that lie between two moments; 0 where the second is the earlier one. A day may have 23 hours. */
function daysBetween(first: Date, second: Date): number {
  const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.max(0, Math.round((midnight(second) - midnight(first)) / DAY_MS));
}
