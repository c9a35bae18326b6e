import { localTimeIn, momentOf } from "../../shared/zoned-time.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface TimeLeft {
  unit: "days" | "hours" | "minutes" | "moment";
  count: number;
}

/** The time left in the largest unit that is not over, rounded up, so that a wait never ends early. */
export function timeLeft(milliseconds: number): TimeLeft {
  if (milliseconds <= MINUTE_MS) return { unit: "moment", count: 0 };
  if (milliseconds <= HOUR_MS) return { unit: "minutes", count: Math.ceil(milliseconds / MINUTE_MS) };
  if (milliseconds <= 2 * DAY_MS) return { unit: "hours", count: Math.ceil(milliseconds / HOUR_MS) };
  return { unit: "days", count: Math.ceil(milliseconds / DAY_MS) };
}

/** Ten in the morning after the event's last day, or after today if that has passed; as local time of the zone. */
export function nextMorning(lastDay: string | null, zone: string, now: number): string {
  const today = localTimeIn(zone, new Date(now)).slice(0, "YYYY-MM-DD".length);
  const day = lastDay && lastDay > today ? lastDay : today;
  const next = new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
  return `${next}T10:00`;
}

/** The moment of a local time in a zone, as the database stores it. */
export const revealMoment = (local: string, zone: string) =>
  momentOf(local.slice(0, "YYYY-MM-DDTHH:MM".length), zone).toISOString();
