import { expect, test } from "vitest";
import { daysAgo, daysLeft } from "./trash-time.ts";

const now = new Date("2024-07-14T12:00:00");

test.each([
  ["2024-07-14T12:00:01", "today", "oggi"],
  ["2024-07-14T00:00:00", "today", "oggi"],
  ["2024-07-13T23:59:00", "yesterday", "ieri"],
  ["2024-07-11T12:00:00", "3 days ago", "3 giorni fa"],
])("what was deleted at %s was deleted %s", (at, english, italian) => {
  expect([daysAgo(new Date(at), now, "en"), daysAgo(new Date(at), now, "it")]).toEqual([english, italian]);
});

test.each([
  ["2024-07-14T13:00:00", 0],
  ["2024-07-13T12:00:00", 0],
  ["2024-07-15T00:00:00", 1],
  ["2024-08-13T11:59:00", 30],
])("what is gone at %s is gone in %i days", (until, days) => {
  expect(daysLeft(new Date(until), now)).toBe(days);
});
