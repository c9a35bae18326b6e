/**
 * A date of any precision, in the notation of ISO 8601-2 (EDTF): `1962-07-14`, `1962-07` (July), `1962-22` (summer),
 * `1962`, `196X` (the 1960s). A `~` at the end means that it is approximate. Photos may also have the local time,
 * `1962-07-14T16:05:09`. It has no time zone. The database functions `date_span` and `date_order` have the same rules.
 */
export type ApproximateDate = string;

export type Precision = "decade" | "year" | "season" | "month" | "day" | "time";

export const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
export type Season = (typeof SEASONS)[number];

/** The known parts of a date. */
export interface DateParts {
  precision: Precision;
  /** For a decade, its first year. */
  year: number;
  season?: Season;
  /** 1 to 12. */
  month?: number;
  day?: number;
  /** `HH:MM:SS` */
  time?: string;
  /** "About": the date may be outside the named period. */
  circa: boolean;
}

const FORM = /^(\d{3})([\dX])(?:-(\d\d)(?:-(\d\d)(?:T(([01]\d|2[0-3]):[0-5]\d:[0-5]\d))?)?)?(~?)$/;
/** EDTF numbers the seasons from 21. */
const FIRST_SEASON = 21;
const SEASON_MONTHS = 3;

/** Parses a date; returns undefined for an invalid one, e.g. 31 February. */
export function parseDate(date: string): DateParts | undefined {
  const match = date.match(FORM);
  if (!match) return undefined;
  const [, century = "", unit = "", month, day, time, , about] = match;
  const circa = about === "~";
  const year = Number(century + (unit === "X" ? "0" : unit));
  if (year === 0 || (unit === "X" && month)) return undefined;
  if (unit === "X") return { precision: "decade", year, circa };
  if (!month) return { precision: "year", year, circa };
  const number = Number(month);
  const season = SEASONS[number - FIRST_SEASON];
  if (season) return day ? undefined : { precision: "season", year, season, circa };
  if (number < 1 || number > 12) return undefined;
  if (!day) return { precision: "month", year, month: number, circa };
  if (Number(day) < 1 || Number(day) > daysIn(year, number)) return undefined;
  const parts = { year, month: number, day: Number(day), circa };
  return time ? { precision: "time", ...parts, time } : { precision: "day", ...parts };
}

/** Formats the parts as a date. */
export function dateOf({ precision, year, season, month, day, time, circa }: DateParts): ApproximateDate {
  const digits = padded(year, 4);
  const date =
    precision === "decade"
      ? `${digits.slice(0, 3)}X`
      : [
          digits,
          precision !== "year" && padded(season ? FIRST_SEASON + SEASONS.indexOf(season) : (month ?? 1), 2),
          (precision === "day" || precision === "time") && padded(day ?? 1, 2),
        ]
          .filter(Boolean)
          .join("-");
  return `${date}${precision === "time" ? `T${time}` : ""}${circa ? "~" : ""}`;
}

/** Returns the first month of the known season or month, or 1. Winter begins in December. */
const firstMonth = ({ season, month }: DateParts) =>
  season ? (SEASONS.indexOf(season) + 1) * SEASON_MONTHS : (month ?? 1);

const RANKS: Record<Precision, number> = { decade: 0, year: 1, season: 2, month: 3, day: 4, time: 5 };

/**
 * Returns the sort key of a date; null for an unknown date. Dates are ordered by their earliest moment, then longer
 * periods first (a year before its January, January before its first day), then exact dates before "about".
 */
export function dateOrder(date: ApproximateDate | null): string | null {
  const parts = date === null ? undefined : parseDate(date);
  if (!parts) return null;
  const { precision, year, day = 1, time = "00:00:00", circa } = parts;
  const earliest = `${padded(year, 4)}-${padded(firstMonth(parts), 2)}-${padded(day, 2)}T${time}`;
  return `${earliest} ${RANKS[precision]}${circa ? 1 : 0}`;
}

/** Compares two dates for sorting; unknown dates come last. */
export function compareDates(a: ApproximateDate | null, b: ApproximateDate | null): number {
  const [first, second] = [dateOrder(a), dateOrder(b)];
  if (first === second) return 0;
  if (first === null) return 1;
  if (second === null) return -1;
  return first < second ? -1 : 1;
}

/** Returns the first and last day of a date as `YYYY-MM-DD`; undefined if the date is invalid. */
export function daysOf(date: ApproximateDate): { first: string; last: string } | undefined {
  const parts = parseDate(date);
  if (!parts) return undefined;
  const { precision, year, day } = parts;
  const month = firstMonth(parts);
  const first = isoDay(year, month, day ?? 1);
  const months = { decade: 120, year: 12, season: SEASON_MONTHS, month: 1 };
  if (precision === "day" || precision === "time") return { first, last: first };
  const lastMonth = month - 1 + months[precision] - 1;
  const [lastYear, inYear] = [year + Math.floor(lastMonth / 12), (lastMonth % 12) + 1];
  return { first, last: isoDay(lastYear, inYear, daysIn(lastYear, inYear)) };
}

/** Whether all days of one date are before all days of another. Approximate dates are never certain. */
export function isCertainlyBefore(a: ApproximateDate, b: ApproximateDate): boolean {
  if (a.endsWith("~") || b.endsWith("~")) return false;
  const [one, other] = [daysOf(a), daysOf(b)];
  return one !== undefined && other !== undefined && one.last < other.first;
}

/** Returns the day of a date as `YYYY-MM-DD`; undefined if it is less precise or approximate. */
export function exactDay(date: ApproximateDate | null | undefined): string | undefined {
  const parts = date ? parseDate(date) : undefined;
  const exact = parts && !parts.circa && (parts.precision === "day" || parts.precision === "time");
  return exact ? date?.slice(0, "YYYY-MM-DD".length) : undefined;
}

/** Reduces a date to its day, month or year. Less precise dates are returned unchanged. */
export function coarseDate(date: ApproximateDate, to: "day" | "month" | "year"): ApproximateDate {
  const parts = parseDate(date);
  if (!parts || RANKS[parts.precision] < RANKS[to]) return date;
  const { year, month, day } = parts;
  return dateOf({ precision: to, year, month, day, circa: false });
}

const padded = (number: number, length: number) => String(number).padStart(length, "0");
const isoDay = (year: number, month: number, day: number) => `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
