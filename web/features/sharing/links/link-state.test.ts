import { expect, test } from "vitest";
import { dayOf, endAfter, endOn, hourOf, stateOf } from "./link-state.ts";

const now = new Date(2026, 10, 20, 15, 0);
const later = "2999-01-01T00:00:00Z";
const before = "2020-01-01T00:00:00Z";
const open = { shared_at: "2026-01-01T00:00:00Z", revoked_at: null, expires_at: null, locked_until: null };

test.each([
  [{}, "open"],
  [{ expires_at: later, locked_until: before }, "open"],
  [{ locked_until: later }, "locked"],
  [{ expires_at: before, locked_until: later }, "ended"],
  [{ revoked_at: before, expires_at: before }, "closed"],
])("a link with %o is %s", (link, state) => {
  expect(stateOf({ ...open, ...link }, now.getTime())).toBe(state);
});

test("a link expires at the end of a day", () => {
  expect(endAfter("week", now)).toEqual(new Date(2026, 10, 27, 23, 59, 59));
  expect(endAfter("year", now)).toEqual(new Date(2027, 10, 20, 23, 59, 59));
  expect(endOn("2026-11-20", now)).toEqual(new Date(2026, 10, 20, 23, 59, 59));
});

test("a month after the 31st is the last day of a shorter month", () => {
  expect(endAfter("month", new Date(2027, 0, 31))).toEqual(new Date(2027, 1, 28, 23, 59, 59));
});

test.each(["2026-11-19", "", "soon"])("'%s' is no day to end on", (day) => {
  expect(endOn(day, now)).toBeUndefined();
});

test("days and hours are written in everyday language", () => {
  expect(dayOf(now)).toBe("2026-11-20");
  expect(hourOf(new Date(2026, 10, 20, 23), "en-GB")).toBe("20 Nov, 23:00–00:00");
});
