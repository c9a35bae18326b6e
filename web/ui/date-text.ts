import {
  type ApproximateDate,
  type DateParts,
  dateOf,
  parseDate,
  SEASONS,
  type Season,
} from "../../shared/approximate-date.ts";
import { asciiDigits, typedCode } from "../../shared/typed-text.ts";

/** A date as it is being typed. */
export interface DateText {
  day: string;
  /** `1` to `12`, a season, `decade`, or empty if only the year is known. */
  month: string;
  year: string;
  about: boolean;
}

/** The value of a date field during typing: a date, empty, or the part that is wrong. */
export type TypedDate = ApproximateDate | "" | "?year" | "?day";

const EMPTY: DateText = { day: "", month: "", year: "", about: false };

const isSeason = (month: string): month is Season => SEASONS.some((season) => season === month);

/** Converts a date to the texts of its field. */
export function textOfDate(date: ApproximateDate | null): DateText {
  const parts = date ? parseDate(date) : undefined;
  if (!parts) return EMPTY;
  const { precision, year, season, month, day, circa } = parts;
  return {
    day: day ? String(day) : "",
    month: precision === "decade" ? "decade" : (season ?? (month ? String(month) : "")),
    year: String(year).padStart(4, "0"),
    about: circa,
  };
}

/** Parses the typed date. For a decade, any of its years is accepted; a day requires a month. */
export function typedDate({ day, month, year, about }: DateText): TypedDate {
  const [typedDay, typedYear] = [typedCode(day), typedCode(year)];
  if (!typedDay && !month && !typedYear) return "";
  // Two digits do not determine the century, and three are a slip. A year before 1000 is written with a zero: 0962.
  if (!/^\d{4}$/.test(typedYear) || Number(typedYear) < 100) return "?year";
  const parts = { year: Number(typedYear), circa: about };
  if (typedDay && (!/^\d{1,2}$/.test(typedDay) || !/^\d/.test(month))) return "?day";
  const date = dateOf(partsOf(parts, month, typedDay));
  return parseDate(date) ? date : "?day";
}

function partsOf(base: Pick<DateParts, "year" | "circa">, month: string, day: string): DateParts {
  if (month === "decade") return { ...base, precision: "decade" };
  if (isSeason(month)) return { ...base, precision: "season", season: month };
  if (!month) return { ...base, precision: "year" };
  const inYear = { ...base, month: Number(month) };
  return day ? { ...inYear, precision: "day", day: Number(day) } : { ...inYear, precision: "month" };
}

/** Returns the date, or null if it is missing or invalid. */
export const dateOrNull = (typed: TypedDate): ApproximateDate | null => (parseDate(typed) ? typed : null);

/**
 * Returns the year in a typed or pasted text, e.g. of `14.7.1962`. Other text stays, so that its field says what is wrong
 * with it: a digit too many must not be dropped in silence, because nobody would notice that the year is another one.
 */
export function yearIn(text: string): string {
  const years = new Set(asciiDigits(text.normalize("NFKC")).match(/(?<!\d)\d{4}(?!\d)/g) ?? []);
  return years.size === 1 ? ([...years][0] ?? "") : typedCode(text).slice(0, LONGEST_WRONG_YEAR);
}

const LONGEST_WRONG_YEAR = 8;
const EARLIEST_USUAL = 1800;
const YEARS_AHEAD = 2;

/** Whether a year is one that families write about: a slip such as 1062 or 2926 is not. True while it is being typed. */
export function isUsualYear(year: string, today = new Date()): boolean {
  if (!/^\d{4}$/.test(year)) return true;
  return Number(year) >= EARLIEST_USUAL && Number(year) <= today.getFullYear() + YEARS_AHEAD;
}
