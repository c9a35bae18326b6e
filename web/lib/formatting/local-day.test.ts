import { afterEach, expect, test } from "vitest";
import { endOfDay, localDay, startOfDay } from "./local-day.ts";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test.each([
  ["Pacific/Kiritimati", "2026-03-09T12:30:00Z", "2026-03-10", "2026-03-09T10:00:00.000Z", "2026-03-10T09:59:59.999Z"],
  ["Pacific/Midway", "2026-03-09T10:30:00Z", "2026-03-08", "2026-03-08T11:00:00.000Z", "2026-03-09T10:59:59.999Z"],
  ["Europe/Rome", "2026-03-29T22:30:00Z", "2026-03-30", "2026-03-29T22:00:00.000Z", "2026-03-30T21:59:59.999Z"],
  ["UTC", "2026-03-09T23:59:59Z", "2026-03-09", "2026-03-09T00:00:00.000Z", "2026-03-09T23:59:59.999Z"],
])("the day of a moment in %s is the reader's, and has its limits", (zone, moment, day, start, end) => {
  process.env.TZ = zone;
  expect([localDay(moment), startOfDay(day), endOfDay(day)]).toEqual([day, start, end]);
});
