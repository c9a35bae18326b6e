const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const A_WEEK_MS = 7 * 86_400_000;

/** How long ago something was, as "5 minutes ago"; its day where that was more than a week ago. */
export function relativeTime(at: Date, now: Date, locale: string): string {
  // Clocks differ a little: nothing was said in the future.
  const ago = Math.max(0, now.getTime() - at.getTime());
  if (ago >= A_WEEK_MS) {
    return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" }).format(at);
  }
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, length] of STEPS) {
    if (ago >= length) return format.format(-Math.floor(ago / length), unit);
  }
  return format.format(0, "second");
}
