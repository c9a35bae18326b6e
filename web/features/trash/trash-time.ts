const DAY_MS = 86_400_000;

/** How many days ago something was deleted, as "today", "yesterday" or "3 days ago" by the reader's calendar. */
export function daysAgo(at: Date, now: Date, locale: string): string {
  const days = Math.max(0, Math.round((midnight(now) - midnight(at)) / DAY_MS));
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day");
}

/** In how many days something is deleted for good: 0 for today. */
export const daysLeft = (until: Date, now: Date): number =>
  Math.max(0, Math.floor((until.getTime() - now.getTime()) / DAY_MS));

const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
