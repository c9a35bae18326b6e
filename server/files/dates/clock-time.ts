import { type ApproximateDate, parseDate } from "../../../shared/approximate-date.ts";

/** A date in a file, and one with a time of day with the meaning of that time. */
export interface ClockTime {
  at: ApproximateDate;
  /** `local`: its zone is written beside it; `utc`; undefined: nothing is said about its zone. */
  zone?: "local" | "utc";
}

/** The oldest plausible date: a camera whose clock was never set writes year 0 or 1. */
const FIRST_YEAR = 1826;

/** The longest notation of a date, in characters; a file may have a text of megabytes in its place. */
const LONGEST_DATE = 100;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Digits with any separators, e.g. `2019:05:04 23:59:58`, `2019-05-04T23:59:58.123+02:00`, `2010/ 5/ 6  7.08 PM`. */
const NUMBERS =
  /^(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})(?!\d)(?:[^\d+]{1,3}(\d{1,2})[^\d+]{1,2}(\d{1,2})(?:(?:[^\d+-]{1,2}|(?<=-\d\d)-)(\d{1,2}))?(.*)|\D*)$/s;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d)?(.*))?$/s;
/** A year, or a year and a month. */
const COARSE = /^(\d{4})(?:[:/.-](\d\d))?$/;
/** `Sun, 14 Jul 2024 16:05:09 +0200`; the time may be missing. */
const DAY_MONTH_YEAR = /(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4})(?: +(\d{1,2}):(\d\d)(?::(\d\d))?(.*))?/is;
/** `Sun Jul 14 16:05:09 2024`. */
const MONTH_DAY_TIME_YEAR = /([a-z]{3})[a-z]* +(\d{1,2}),? +(\d{1,2}):(\d\d)(?::(\d\d))?(.*?) (\d{4})/is;

/**
 * Parses a date as cameras and programs write it, with its precision: unknown parts are missing or zero. Fractions of a
 * second are dropped. Undefined for text that is no date.
 */
export function clockTime(value: unknown): ClockTime | undefined {
  if (typeof value !== "string" || value.length > LONGEST_DATE) return undefined;
  const text = value.replaceAll("\0", "").trim();
  const coarse = text.match(COARSE);
  if (coarse) return dated(coarse[1], coarse[2]);
  const numbers = text.match(NUMBERS) ?? text.match(COMPACT);
  if (numbers) {
    const [, year, month, day, hour, minute, second, rest] = numbers;
    return dated(year, month, day, hour && { hour, minute, second, rest });
  }
  const inOrder = text.match(DAY_MONTH_YEAR);
  if (inOrder) {
    const [, day, month, year, hour, minute, second, rest] = inOrder;
    return dated(year, monthNumber(month), day, hour && { hour, minute, second, rest });
  }
  const [, month, day, hour, minute, second, rest, year] = text.match(MONTH_DAY_TIME_YEAR) ?? [];
  return dated(year, monthNumber(month), day, hour && { hour, minute, second, rest });
}

const monthNumber = (name = "") => String(MONTHS.indexOf(name.toLowerCase()) + 1);

interface TimeParts {
  hour: string;
  minute?: string;
  second?: string;
  /** What follows: fractions, half of the day, zone. */
  rest?: string;
}

/** The date of these parts, if it exists. */
function dated(year = "", month = "0", day = "0", time?: TimeParts | ""): ClockTime | undefined {
  const [mm, dd] = [padded(month), padded(day)];
  if (mm === "00") return existing(year);
  if (dd === "00") return existing(`${year}-${mm}`);
  const date = `${year}-${mm}-${dd}`;
  if (!time) return existing(date);
  const zone = zoneIn(time.rest);
  const at = `${date}T${padded(hourOf(time))}:${padded(time.minute)}:${padded(time.second)}`;
  return existing(at) ? { at, ...(zone && { zone }) } : existing(date);
}

const existing = (at: ApproximateDate): ClockTime | undefined =>
  (parseDate(at)?.year ?? 0) >= FIRST_YEAR ? { at } : undefined;

const padded = (number = "0") => number.padStart(2, "0");

/** Some phones write 24 for the first hour of a day. */
function hourOf({ hour, rest = "" }: TimeParts): string {
  const half = rest.match(/^[\d.\s]*([ap])\.?m/i)?.[1]?.toLowerCase();
  const number = Number(hour);
  if (half && number <= 12) return String((number % 12) + (half === "p" ? 12 : 0));
  return number === 24 ? "0" : hour;
}

function zoneIn(rest = ""): ClockTime["zone"] {
  const offset = rest.match(/[+-](\d\d):?(\d\d)/);
  // Converters write an offset of zero for times in UTC.
  if (offset) return Number(offset[1]) + Number(offset[2]) === 0 ? "utc" : "local";
  return /\d*\s*(Z|UTC|GMT)\b/.test(rest) ? "utc" : undefined;
}

/** The local time with the offset that was written beside it, if it is known: `2019-05-04T12:33:11+02:00`. */
export const withOffset = (text: string, { at, zone }: ClockTime): string => {
  const [, hours, minutes] = text.match(/([+-]\d\d):?(\d\d)\s*$/) ?? [];
  return zone === "local" && hours ? `${at}${hours}:${minutes}` : at;
};
