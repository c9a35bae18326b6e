import { nextMorning } from "./local-time.ts";

export type Cadence = "instantly" | "daily" | "weekly" | "never";

/** What somebody learns of however seldom they wish to hear of the rest, as it can not wait. */
const URGENT = ["locked", "storage-75", "storage-90", "storage-full", "birthday", "passing", "event"];

const MINUTE_MS = 60_000;
/** No more than one email about a memory in so long. */
export const APART_MS = 15 * MINUTE_MS;
/** Photos come one after the other: their email waits until none has come for so long. */
const SETTLED_MS = 2 * MINUTE_MS;
/** A lock that the right PIN has set is taken back within seconds. */
const LOCK_MS = MINUTE_MS;

/** What one person is to be notified of: of one kind about one memory. */
export interface Owing {
  kind: string;
  cadence: Cadence;
  /** The first of it. */
  since: Date;
  /** The last of it. */
  until: Date;
  zone: string;
  /** When an email about the memory last went out at once. */
  mailedAt: Date | null;
}

export const isUrgent = (kind: string): boolean => URGENT.includes(kind);

/** When the email about it is to be written; undefined where none is. */
export function dueAt({ kind, cadence, since, until, zone, mailedAt }: Owing): Date | undefined {
  if (cadence === "never") return undefined;
  if (kind === "locked") return new Date(since.getTime() + LOCK_MS);
  if (isUrgent(kind)) return since;
  if (cadence !== "instantly") return nextMorning(since, zone, cadence === "daily" ? "day" : "week");
  const settled =
    kind === "added" ? Math.min(until.getTime() + SETTLED_MS, since.getTime() + APART_MS) : since.getTime();
  return new Date(Math.max(settled, mailedAt ? mailedAt.getTime() + APART_MS : 0));
}

/** A calendar day, in no time zone. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/** A day as the database writes it, `1936-02-29`. */
export function dayOf(date: string): Day {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/**
 * How many years ago a day was, where today is the day on which one thinks of it; undefined on all other days, and in its
 * own year. The 29th of February is thought of on the 28th in years that have none, which is still its month.
 */
export function yearsToday(date: string, today: Day): number | undefined {
  const { year, month, day } = dayOf(date);
  const years = today.year - year;
  if (years < 1 || month !== today.month) return undefined;
  const kept = month === 2 && day === 29 && !isLeap(today.year) ? 28 : day;
  return kept === today.day ? years : undefined;
}
