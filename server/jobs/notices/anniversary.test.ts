import { expect, test } from "vitest";
import { dayOf, reminderCheckAt, yearsToday } from "./due.ts";

test.each([
  ["1936-05-04", "2026-05-04", 90],
  ["2025-05-04", "2026-05-04", 1],
  ["1936-05-04", "2026-05-03", undefined],
  ["1936-05-04", "2026-04-04", undefined],
  // The day itself, and a date still to come.
  ["2026-05-04", "2026-05-04", undefined],
  ["2027-05-04", "2026-05-04", undefined],
  ["0998-12-31", "2026-12-31", 1028],
])("an anniversary of %s on %s is %s years", (date, today, years) => {
  expect(yearsToday(date, dayOf(today))).toBe(years);
});

test.each([
  ["in a leap year on its own day", "2028-02-29", 92],
  ["and not the day before", "2028-02-28", undefined],
  ["in other years on the last of February", "2026-02-28", 90],
  ["and not in March", "2026-03-01", undefined],
  ["in a year of a century that is no leap year", "2100-02-28", 164],
])("a leap day has one reminder a year: %s", (_when, today, years) => {
  expect(yearsToday("1936-02-29", dayOf(today))).toBe(years);
});

test("the 28th stays the 28th in leap years", () => {
  expect(yearsToday("1937-02-28", dayOf("2028-02-28"))).toBe(91);
  expect(yearsToday("1937-02-28", dayOf("2028-02-29"))).toBeUndefined();
});

test.each([
  ["before it", "1936-05-04", "2026-01-01T00:00:00Z", false, "2026-05-03T18:00:00.000Z"],
  ["when its first morning begins", "1936-05-04", "2026-05-03T18:00:00Z", true, "2026-05-03T18:15:00.000Z"],
  ["within a quarter of an hour", "1936-05-04", "2026-05-04T09:07:01Z", true, "2026-05-04T09:15:00.000Z"],
  ["at the end of its last day", "1936-05-04", "2026-05-05T11:59:59Z", true, "2026-05-05T12:00:00.000Z"],
  ["after it", "1936-05-04", "2026-05-05T12:00:00Z", false, "2027-05-03T18:00:00.000Z"],
  ["of the 1st of January", "1936-01-01", "2026-12-31T19:00:00Z", true, "2026-12-31T19:15:00.000Z"],
  ["of the 31st of December", "1936-12-31", "2027-01-01T11:00:00Z", true, "2027-01-01T11:15:00.000Z"],
  ["of a leap day in other years", "1936-02-29", "2026-02-28T12:00:00Z", true, "2026-02-28T12:15:00.000Z"],
  ["of a leap day in its year", "1936-02-29", "2028-02-01T12:00:00Z", false, "2028-02-28T18:00:00.000Z"],
])("a reminder %s is looked at in time", (_when, date, now, isToday, at) => {
  const check = reminderCheckAt(date, new Date(now));
  expect([check.isToday, check.at?.toISOString()]).toEqual([isToday, at]);
});

test.each([null, "1936", "1936-02", "1936-02-28~"])("a reminder of the date %s is not looked at", (date) => {
  expect(reminderCheckAt(date, new Date("2026-02-28T12:00:00Z"))).toEqual({ isToday: false, at: undefined });
});
