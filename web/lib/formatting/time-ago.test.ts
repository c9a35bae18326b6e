import { expect, test } from "vitest";
import { dayAgo, daysAgo, daysBetween, timeAgo } from "./time-ago.ts";

const now = new Date("2024-07-14T12:00:00");

test.each([
  ["2024-07-14T12:00:01", "today", "oggi"],
  ["2024-07-14T00:00:00", "today", "oggi"],
  ["2024-07-13T23:59:00", "yesterday", "ieri"],
  ["2024-07-11T12:00:00", "3 days ago", "3 giorni fa"],
])("an item deleted at %s was deleted %s", (at, english, italian) => {
  expect([daysAgo(new Date(at), now, "en"), daysAgo(new Date(at), now, "it")]).toEqual([english, italian]);
});

test.each([
  ["2024-07-14T13:00:00", 0],
  ["2024-07-13T12:00:00", 0],
  ["2024-07-15T00:00:00", 1],
  ["2024-08-13T11:59:00", 30],
])("an item removed at %s is removed in %i days", (until, days) => {
  expect(daysBetween(now, new Date(until))).toBe(days);
});

const noon = new Date(2026, 10, 20, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, "now", "ora"],
  [20_000, "now", "ora"],
  [5 * MINUTE, "5 minutes ago", "5 minuti fa"],
  [3 * HOUR + 59 * MINUTE, "3 hours ago", "3 ore fa"],
  [30 * HOUR, "yesterday", "ieri"],
  [37 * HOUR, "2 days ago", "l’altro ieri"],
  [6 * 24 * HOUR, "6 days ago", "6 giorni fa"],
  [7 * 24 * HOUR, "13 November 2026", "13 novembre 2026"],
  // A clock slightly behind the server's.
  [-2 * MINUTE, "now", "ora"],
])("%i ms ago is %s, in Italian %s", (ms, english, italian) => {
  const at = new Date(noon.getTime() - ms);
  expect(timeAgo(at, noon, "en-GB")).toBe(english);
  expect(timeAgo(at, noon, "it")).toBe(italian);
});

test("a moment a week ago or more is shown as its date", () => {
  const at = (...[month, day, hour]: [number, number, number]) => new Date(2026, month, day, hour);
  expect(dayAgo(at(10, 20, 1), noon, "en-GB")).toBe("today");
  expect(dayAgo(at(10, 19, 23), noon, "it")).toBe("ieri");
  expect(dayAgo(at(9, 1, 0), noon, "en-GB")).toBe("1 October 2026");
});
