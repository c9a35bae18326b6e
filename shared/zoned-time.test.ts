import { expect, test } from "vitest";
import { localTimeIn, momentOf } from "./zoned-time.ts";

test.each([
  ["2026-01-10T14:00", "Europe/Rome", "2026-01-10T13:00:00.000Z"],
  ["2026-07-10T14:00", "Europe/Rome", "2026-07-10T12:00:00.000Z"],
  ["2026-07-10T14:00", "America/St_Johns", "2026-07-10T16:30:00.000Z"],
  ["2026-07-10T00:30", "Pacific/Kiritimati", "2026-07-09T10:30:00.000Z"],
  // The first hour after clocks go forward, and before they go back.
  ["2026-03-29T03:00", "Europe/Rome", "2026-03-29T01:00:00.000Z"],
  ["2026-10-25T01:59", "Europe/Rome", "2026-10-24T23:59:00.000Z"],
  ["2026-05-09T14:00", "UTC", "2026-05-09T14:00:00.000Z"],
])("%s in %s is %s", (local, zone, moment) => {
  expect(momentOf(local, zone).toISOString()).toBe(moment);
  expect(localTimeIn(zone, new Date(moment))).toBe(local);
});

test("an hour that is skipped counts as before the change, and a repeated one as after it", () => {
  expect(momentOf("2026-03-29T02:30", "Europe/Rome").toISOString()).toBe("2026-03-29T01:30:00.000Z");
  expect(momentOf("2026-10-25T02:30", "Europe/Rome").toISOString()).toBe("2026-10-25T01:30:00.000Z");
});
