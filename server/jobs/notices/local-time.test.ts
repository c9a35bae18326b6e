import { expect, test } from "vitest";
import { isoDay, localTime, nextMorning } from "./local-time.ts";

const next = (after: string, zone: string, every: "day" | "week" = "day") =>
  nextMorning(new Date(after), zone, every).toISOString();

test.each([
  ["before it, the same day", "2026-03-09T05:00:00Z", "Europe/Rome", "2026-03-09T07:00:00.000Z"],
  ["after it, the next day", "2026-03-09T07:00:00Z", "Europe/Rome", "2026-03-10T07:00:00.000Z"],
  ["where it is another day already", "2026-03-09T20:30:00Z", "Pacific/Auckland", "2026-03-10T19:00:00.000Z"],
  ["where it is still the day before", "2026-03-09T02:00:00Z", "America/Los_Angeles", "2026-03-09T15:00:00.000Z"],
  ["at half and quarter hours", "2026-03-09T00:00:00Z", "Asia/Kathmandu", "2026-03-09T02:15:00.000Z"],
  ["at the date line", "2026-03-09T00:00:00Z", "Pacific/Kiritimati", "2026-03-09T18:00:00.000Z"],
  ["of an unknown zone, by UTC", "2026-03-09T09:00:00Z", "Mars/Base", "2026-03-10T08:00:00.000Z"],
])("the next morning %s", (_which, after, zone, expected) => {
  expect(next(after, zone)).toBe(expected);
});

test.each([
  ["put forward in Rome", "2026-03-28T12:00:00Z", "Europe/Rome", "2026-03-29T06:00:00.000Z"],
  ["put back in Rome", "2026-10-24T12:00:00Z", "Europe/Rome", "2026-10-25T07:00:00.000Z"],
  ["put forward in New York", "2026-03-07T20:00:00Z", "America/New_York", "2026-03-08T12:00:00.000Z"],
  ["put back in New York", "2026-10-31T20:00:00Z", "America/New_York", "2026-11-01T13:00:00.000Z"],
  ["put back where summer ends in April", "2026-04-04T12:00:00Z", "Australia/Sydney", "2026-04-04T22:00:00.000Z"],
])("the morning is 8 o'clock local time also on the day the clock is %s", (_which, after, zone, expected) => {
  expect(next(after, zone)).toBe(expected);
  expect(localTime(new Date(expected), zone).hour).toBe(8);
});

test.each([
  ["on Sunday", "2026-03-08T12:00:00Z", "2026-03-09T07:00:00.000Z"],
  ["early on Monday", "2026-03-09T06:59:59Z", "2026-03-09T07:00:00.000Z"],
  ["on Monday at 8, not a second time", "2026-03-09T07:00:00Z", "2026-03-16T07:00:00.000Z"],
  ["across the change to summer", "2026-03-25T12:00:00Z", "2026-03-30T06:00:00.000Z"],
])("a week ends with Monday's morning: %s", (_when, after, expected) => {
  expect(next(after, "Europe/Rome", "week")).toBe(expected);
});

test("the week follows the reader's time zone and not UTC", () => {
  // Monday in Auckland, Sunday in Honolulu.
  expect(next("2026-03-08T18:00:00Z", "Pacific/Auckland", "week")).toBe("2026-03-08T19:00:00.000Z");
  expect(next("2026-03-08T18:00:00Z", "Pacific/Honolulu", "week")).toBe("2026-03-09T18:00:00.000Z");
});

test("a day is written in calendar form", () => {
  expect(isoDay(localTime(new Date("2026-12-31T23:30:00Z"), "Europe/Rome"))).toBe("2027-01-01");
});
