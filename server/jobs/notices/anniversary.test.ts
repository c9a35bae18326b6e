import { expect, test } from "vitest";
import { dayOf, yearsToday } from "./due.ts";

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
