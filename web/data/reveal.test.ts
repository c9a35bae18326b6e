import { describe, expect, test } from "vitest";
import { isWaiting, type Reveal } from "./reveal.ts";
import { nextMorning, revealMoment, timeLeft } from "./reveal-times.ts";

const NOW = Date.parse("2026-05-09T20:00Z");
const reveal = (changes: Partial<Reveal>): Reveal => ({
  reveal_at: null,
  time_zone: "Europe/Rome",
  revealed: false,
  revision: 1,
  ...changes,
});

describe("guests wait", () => {
  test.each([
    ["without a reveal", null, false],
    ["until a press", reveal({}), true],
    ["until a time", reveal({ reveal_at: "2026-05-10T08:00:00+00:00" }), true],
    ["after the time", reveal({ reveal_at: "2026-05-09T19:59:59+00:00" }), false],
    ["at the time itself", reveal({ reveal_at: "2026-05-09T20:00:00+00:00" }), false],
    ["after a press before the time", reveal({ reveal_at: "2026-05-10T08:00:00+00:00", revealed: true }), false],
  ])("%s: %s gives %s", (_when, one, waits) => {
    expect(isWaiting(one, NOW)).toBe(waits);
  });
});

test.each([
  [30_000, "moment", 0],
  [60_000, "moment", 0],
  [60_001, "minutes", 2],
  [59 * 60_000, "minutes", 59],
  [61 * 60_000, "hours", 2],
  [47.5 * 3600_000, "hours", 48],
  [49 * 3600_000, "days", 3],
])("%i ms are left as %s %i", (milliseconds, unit, count) => {
  expect(timeLeft(milliseconds)).toEqual({ unit, count });
});

test("the next morning follows the event's last day, in its zone", () => {
  expect(nextMorning("2026-06-20", "Europe/Rome", NOW)).toBe("2026-06-21T10:00");
  expect(nextMorning("2026-05-01", "Europe/Rome", NOW)).toBe("2026-05-10T10:00");
  // In Auckland it is the 10th already.
  expect(nextMorning(null, "Pacific/Auckland", NOW)).toBe("2026-05-11T10:00");
  expect(nextMorning("2026-12-31", "UTC", NOW)).toBe("2027-01-01T10:00");
});

test("a time is that of its zone, also where clocks change", () => {
  expect(revealMoment("2026-05-10T10:00", "Europe/Rome")).toBe("2026-05-10T08:00:00.000Z");
  expect(revealMoment("2026-10-25T10:00:00", "Europe/Rome")).toBe("2026-10-25T09:00:00.000Z");
});
