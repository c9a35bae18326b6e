import { dateFormat } from "./date-format.ts";

/** Returns the local time of a moment in a time zone, e.g. `2026-05-09T14:00`. */
export function localTimeIn(zone: string, moment: Date): string {
  // Swedish dates are ISO dates.
  const format = dateFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return format.format(moment).replace(" ", "T");
}

const MINUTE_MS = 60_000;

/**
 * Returns the moment of a local time in a time zone, as PostgreSQL does: an hour that clocks skip counts as before the change, one that they
 * repeat as after it.
 */
export function momentOf(local: string, zone: string): Date {
  const wall = Date.parse(`${local}Z`);
  const offsetAt = (time: number) =>
    Date.parse(`${localTimeIn(zone, new Date(time))}Z`) - Math.floor(time / MINUTE_MS) * MINUTE_MS;
  const day = 24 * 60 * MINUTE_MS;
  const [before, after] = [offsetAt(wall - day), offsetAt(wall + day)];
  // Both offsets are right for a repeated hour, and neither is for a skipped one.
  const isRight = (offset: number) => offsetAt(wall - offset) === offset;
  return new Date(wall - (isRight(after) ? after : before));
}
