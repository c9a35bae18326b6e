import { MORNING, nextMorning } from "./local-time.ts";

export type Cadence = "instantly" | "daily" | "weekly" | "never";

/** Urgent notices, which ignore the chosen frequency. */
const URGENT = ["locked", "storage-75", "storage-90", "storage-full", "file-lost", "birthday", "passing", "event"];

const MINUTE_MS = 60_000;
/** The minimum interval between emails about a memory. */
export const APART_MS = 15 * MINUTE_MS;
/** The time without a new photo before their email is sent, because photos arrive one by one. */
const SETTLED_MS = 2 * MINUTE_MS;
/** The delay of the email about a lock, because the right PIN may reset the lock within seconds. */
const LOCK_MS = MINUTE_MS;

/** The unsent notices of one kind to one person about one memory. */
export interface UnsentNotices {
  kind: string;
  cadence: Cadence;
  /** The time of the first notice. */
  since: Date;
  /** The time of the last notice. */
  until: Date;
  zone: string;
  /** The time of the last immediate email about the memory. */
  mailedAt: Date | null;
}

export const isUrgent = (kind: string): boolean => URGENT.includes(kind);

/** The time of the next email; undefined for none. */
export function dueAt({ kind, cadence, since, until, zone, mailedAt }: UnsentNotices): Date | undefined {
  if (cadence === "never") return undefined;
  if (kind === "locked") return new Date(since.getTime() + LOCK_MS);
  if (isUrgent(kind)) return since;
  if (cadence !== "instantly") return nextMorning(since, zone, cadence === "daily" ? "day" : "week");
  const settled =
    kind === "added" ? Math.min(until.getTime() + SETTLED_MS, since.getTime() + APART_MS) : since.getTime();
  return new Date(Math.max(settled, mailedAt ? mailedAt.getTime() + APART_MS : 0));
}

/** A calendar day without a time zone. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/** Parses a `date` of the database, `1936-02-29`. */
export function dayOf(date: string): Day {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/**
 * The number of years since a date, if today is its anniversary; undefined on other days and in the same year. The 29th
 * of February is observed on the 28th in years without it.
 */
export function yearsToday(date: string, today: Day): number | undefined {
  const { year, month, day } = dayOf(date);
  const years = today.year - year;
  if (years < 1 || month !== today.month) return undefined;
  return observedDay({ year: today.year, month, day }) === today.day ? years : undefined;
}

const observedDay = ({ year, month, day }: Day) => (month === 2 && day === 29 && !isLeap(year) ? 28 : day);

const HOUR_MS = 60 * MINUTE_MS;
/** Time zones are from 14 hours before UTC to 12 hours after it. */
const FIRST_MORNING_MS = (MORNING - 14) * HOUR_MS;
const LAST_END_MS = (24 + 12) * HOUR_MS;
/** Time zones differ by multiples of it, therefore mornings begin at multiples of it. */
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * Whether an anniversary of the date is today anywhere, from the morning on, and when to look at it next: each quarter
 * of an hour of that time, otherwise when it begins next. `at` is undefined for a date without a known day.
 */
export function reminderCheckAt(date: string | null, now: Date): { isToday: boolean; at: Date | undefined } {
  if (date === null || !/^\d{4}-\d\d-\d\d$/.test(date)) return { isToday: false, at: undefined };
  const { month, day } = dayOf(date);
  for (let year = now.getUTCFullYear() - 1; ; year += 1) {
    const midnight = Date.UTC(year, month - 1, observedDay({ year, month, day }));
    if (now.getTime() < midnight + FIRST_MORNING_MS)
      return { isToday: false, at: new Date(midnight + FIRST_MORNING_MS) };
    if (now.getTime() < midnight + LAST_END_MS) {
      return { isToday: true, at: new Date((Math.floor(now.getTime() / QUARTER_MS) + 1) * QUARTER_MS) };
    }
  }
}
