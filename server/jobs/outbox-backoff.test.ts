import { expect, test } from "vitest";
import { backoff, MOST_ATTEMPTS } from "./outbox-job.ts";

const minutes = (attempts: number, random = 0) => backoff(attempts, random) / 60_000;

test("each failure doubles the wait, from one minute up to twelve hours", () => {
  expect([1, 2, 3, 4, 10].map((attempts) => minutes(attempts))).toEqual([1, 2, 4, 8, 512]);
  expect([11, 12, 100].map((attempts) => minutes(attempts))).toEqual([720, 720, 720]);
});

test("random jitter shortens the wait by up to a quarter", () => {
  expect(minutes(3, 1)).toBe(3);
  expect(minutes(3, 0.5)).toBe(3.5);
  expect(backoff(20, 1)).toBe(9 * 3_600_000);
});

test("a message is retried for more than twenty hours", () => {
  const waits = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => minutes(index + 1, 1));
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(20 * 60);
});
