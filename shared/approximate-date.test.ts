import { expect, test } from "vitest";
import { DATES, NO_DATES } from "../tests/support/approximate-dates.ts";
import {
  coarseDate,
  compareDates,
  dateOf,
  daysOf,
  exactDay,
  isCertainlyBefore,
  parseDate,
} from "./approximate-date.ts";
import { dateHeading, writtenDate } from "./written-date.ts";

test.each(DATES)("%s is written as “%s” and “%s”, and lasts from %s to %s", (date, en, it, first, last) => {
  expect(writtenDate(date, "en", { time: true })).toBe(en);
  expect(writtenDate(date, "it", { time: true })).toBe(it);
  expect(daysOf(date)).toEqual({ first, last });
  const parts = parseDate(date);
  expect(parts && dateOf(parts)).toBe(date);
});

test.each(NO_DATES)("“%s” is no date", (text) => {
  expect(parseDate(text)).toBeUndefined();
  expect(daysOf(text)).toBeUndefined();
});

test("dates sort by their earliest day, the wider first, “about” after the same date, and unknown ones last", () => {
  const inOrder = DATES.map(([date]) => date);
  expect([null, ...inOrder].toReversed().sort(compareDates)).toEqual([...inOrder, null]);
});

test.each([
  ["1961", "1962", true],
  ["1961-12-31", "1962", true],
  ["1962", "1962-07-14", false],
  ["1962-07-14", "1962", false],
  ["1963", "1962", false],
  ["195X", "1962-22", true],
  ["196X", "1962", false],
  ["1960~", "1962", false],
  ["1960", "1962~", false],
])("%s is certainly before %s: %s", (a, b, expected) => {
  expect(isCertainlyBefore(a, b)).toBe(expected);
});

test.each([
  ["1962-07-14", "1962-07-14"],
  ["1962-07-14T10:00:00", "1962-07-14"],
  ["1962-07-14~", undefined],
  ["1962-07", undefined],
  ["1962", undefined],
  [null, undefined],
])("the exact day of %s is %s", (date, day) => {
  expect(exactDay(date)).toBe(day);
});

test.each([
  ["1962-07-14T10:00:00", "day", "1962-07-14"],
  ["1962-07-14", "month", "1962-07"],
  ["1962-07-14~", "year", "1962"],
  ["1962-22", "month", "1962-22"],
  ["1962-22", "year", "1962"],
  ["1962~", "year", "1962"],
  ["1962~", "month", "1962~"],
  ["196X", "year", "196X"],
] as const)("%s to the %s is %s", (date, to, coarse) => {
  expect(coarseDate(date, to)).toBe(coarse);
});

test("a heading begins with a capital letter, and a narrow one has the short month", () => {
  expect(dateHeading("1962~", "en")).toBe("About 1962");
  expect(dateHeading("1962-22", "it")).toBe("Estate 1962");
  expect(dateHeading("1962-07-14", "en", { short: true })).toBe("14 Jul 1962");
});
