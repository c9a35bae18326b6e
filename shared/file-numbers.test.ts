import fc from "fast-check";
import { expect, test } from "vitest";
import { plausible, plausibleSeconds, plausibleSide, share, timerMs } from "./file-numbers.ts";

const UGLY = [
  21.033333,
  90 / 29.97,
  600 / 23.976,
  1 / 90_000,
  0.1 + 0.2,
  -0,
  -1,
  -21.5,
  2 ** 31,
  2 ** 53,
  2 ** 64,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.MIN_VALUE,
];

test("every number is a limit of time that timers accept", () => {
  const expectTimer = (value: number) => {
    const ms = timerMs(value * 30_000, { least: 600_000, most: 28_800_000 });
    expect(Number.isSafeInteger(ms)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(600_000);
    expect(ms).toBeLessThanOrEqual(28_800_000);
    expect(() => AbortSignal.timeout(timerMs(value))).not.toThrow();
  };
  for (const value of UGLY) expectTimer(value);
  fc.assert(fc.property(fc.double(), expectTimer));
  expect(timerMs(21.033333 * 30_000)).toBe(631_000);
});

test("figures that are no figures are unknown, and others unchanged", () => {
  for (const value of UGLY) {
    const seconds = plausibleSeconds(value);
    if (seconds !== undefined) expect([seconds, seconds > 0]).toEqual([value, true]);
    const side = plausibleSide(value);
    if (side !== undefined) expect(Number.isInteger(side) && side > 0 && side < 2 ** 31).toBe(true);
    expect(share(value)).toBeGreaterThanOrEqual(0);
    expect(share(value)).toBeLessThanOrEqual(1);
  }
  expect([plausibleSeconds(Number.NaN), plausibleSeconds(-1), plausibleSeconds(0)]).toEqual(Array(3).fill(undefined));
  expect([plausibleSeconds(21.033333), plausibleSide(2 ** 31), plausibleSide(1919.6)]).toEqual([
    21.033333,
    undefined,
    1920,
  ]);
  expect([plausible("12", { least: 0, most: 20 }), share(null), share(Number.NaN)]).toEqual([undefined, 0, 0]);
});
