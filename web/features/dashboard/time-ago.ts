const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago a moment was, as "2 hours ago" or "yesterday" by the reader's clock; its date once a week has passed. */
export function timeAgo(at: Date, now: Date, locale: string): string {
  const ago = Math.max(0, now.getTime() - at.getTime());
  // "This minute" for what has only just happened.
  const said = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (ago < HOUR_MS) return said.format(-Math.floor(ago / MINUTE_MS), "minute");
  if (ago < DAY_MS) return said.format(-Math.floor(ago / HOUR_MS), "hour");
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (days < 7) return said.format(-days, "day");
  return new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(at);
}

const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
