import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noteClock, noteDate, serverNow } from "./server-clock.ts";

const DEVICE = Date.parse("2026-05-02T12:00:00Z");

beforeEach(() => void vi.useFakeTimers({ now: DEVICE }));
afterEach(() => {
  vi.useRealTimers();
  noteClock(0);
});

test.each([
  ["a day ahead", "Fri, 01 May 2026 12:00:00 GMT", "2026-05-01T12:00:00Z"],
  ["a month behind", "Tue, 02 Jun 2026 12:00:00 GMT", "2026-06-02T12:00:00Z"],
  ["right but for seconds", "Sat, 02 May 2026 12:00:09 GMT", "2026-05-02T12:00:00Z"],
  ["of a server that states no time", "", "2026-05-02T12:00:00Z"],
])("a device's clock %s is corrected by the server's", (_, date, now) => {
  noteDate(new Response(null, { headers: { date } }));
  expect(new Date(serverNow())).toEqual(new Date(now));
  vi.advanceTimersByTime(60_000);
  expect(serverNow()).toBe(Date.parse(now) + 60_000);
});
