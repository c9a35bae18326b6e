import type { ShareLink } from "./links.queries.ts";

/** Whether a link opens now, and if not, why. */
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

/** The expiry of a preset: the last moment of its day in local time. */
export function endAfter(preset: (typeof END_PRESETS)[number], now: Date): Date {
  const end = new Date(now);
  if (preset === "week") end.setDate(end.getDate() + 7);
  else {
    const day = end.getDate();
    end.setMonth(end.getMonth() + (preset === "year" ? 12 : 1));
    // A missing 31st becomes the month's last day.
    if (end.getDate() !== day) end.setDate(0);
  }
  return lastMomentOf(end);
}

/** The last moment of a day given as `2026-12-24` in local time; undefined for an invalid or past day. */
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

/** A moment's local day, in the format of date fields. */
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
