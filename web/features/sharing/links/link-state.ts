import type { ShareLink } from "./links.queries.ts";

/** Returns whether a link opens now, otherwise the reason. */
export function stateOf(
  {
    shared_at,
    revoked_at,
    expires_at,
    locked_until,
  }: Pick<ShareLink, "shared_at" | "revoked_at" | "expires_at" | "locked_until">,
  now: number,
): "open" | "unshared" | "closed" | "ended" | "locked" {
  if (shared_at === null) return "unshared";
  if (revoked_at !== null) return "closed";
  if (expires_at !== null && Date.parse(expires_at) <= now) return "ended";
  return locked_until !== null && Date.parse(locked_until) > now ? "locked" : "open";
}

export const END_PRESETS = ["week", "month", "year"] as const;

/** Returns the expiry date of a preset: the last second of its day in local time. */
export function endAfter(preset: (typeof END_PRESETS)[number], now: Date): Date {
  const end = new Date(now);
  if (preset === "week") end.setDate(end.getDate() + 7);
  else {
    const day = end.getDate();
    end.setMonth(end.getMonth() + (preset === "year" ? 12 : 1));
    // If the month has no such day, e.g. no 31st, the month's last day is used.
    if (end.getDate() !== day) end.setDate(0);
  }
  return lastMomentOf(end);
}

/** Returns the last second of a day such as `2026-12-24` in local time; undefined for an invalid or past day. */
export function endOn(day: string, now: Date): Date | undefined {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const end = lastMomentOf(new Date(year, month - 1, date));
  return /^\d{4}-\d\d-\d\d$/.test(day) && end > now ? end : undefined;
}

function lastMomentOf(day: Date): Date {
  const end = new Date(day);
  end.setHours(23, 59, 59, 0);
  return end;
}

/** Returns the local day of a moment in the format of date fields, e.g. `2026-12-24`. */
export function dayOf(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Formats the hour that begins at a moment as "20 Nov, 14:00–15:00". */
export function hourOf(at: Date, locale: string): string {
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(at);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  return `${day}, ${time.format(at)}–${time.format(new Date(at.getTime() + 3_600_000))}`;
}
