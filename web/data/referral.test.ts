import { expect, test } from "vitest";
import { counts, firstTouch, mayKeep } from "./referral.ts";

const NOW = Date.parse("2026-06-30T12:00:00Z");
const daysAgo = (days: number, code = "FIRST000") => ({
  code,
  visited_at: new Date(NOW - days * 24 * 60 * 60 * 1000).toISOString(),
});

test("a visit by a link counts for thirty days", () => {
  expect(counts(daysAgo(0), NOW)).toBe(true);
  expect(counts(daysAgo(30), NOW)).toBe(true);
  expect(counts(daysAgo(30.01), NOW)).toBe(false);
});

test("the first link counts until it expires", () => {
  const now = daysAgo(0, "SECOND00");
  expect(firstTouch(undefined, now, NOW)).toBe(now);
  expect(firstTouch(daysAgo(29), now, NOW)).toEqual(daysAgo(29));
  expect(firstTouch(daysAgo(31), now, NOW)).toBe(now);
});

test("nothing is stored without consent", () => {
  expect(mayKeep("accepted")).toBe(true);
  expect(mayKeep("declined")).toBe(false);
  expect(mayKeep(null)).toBe(false);
});
