import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { captchaTokens } from "./captcha-tokens.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a token that is ready is given out at once, and only once", async () => {
  const tokens = captchaTokens();
  tokens.made("one");
  expect(await tokens.take(1000)).toBe("one");
  const next = tokens.take(1000);
  tokens.made("two");
  expect(await next).toBe("two");
});

test("waiting forms get one token each, in their order", async () => {
  const tokens = captchaTokens();
  const both = [tokens.take(1000), tokens.take(1000)];
  tokens.made("one");
  tokens.made("two");
  expect(await Promise.all(both)).toEqual(["one", "two"]);
});

test("an expired token is not given out", async () => {
  const tokens = captchaTokens();
  tokens.made("old");
  tokens.expired();
  const next = tokens.take(1000);
  tokens.made("new");
  expect(await next).toBe("new");
});

test("a form stops waiting when the widget fails or the maximum wait is over", async () => {
  const tokens = captchaTokens();
  const first = tokens.take(1000);
  tokens.failed();
  expect(await first).toBeUndefined();
  const second = tokens.take(1000);
  vi.advanceTimersByTime(1000);
  expect(await second).toBeUndefined();
  tokens.made("late");
  expect(await tokens.take(1000)).toBe("late");
});

test("a person with a challenge has no time limit", async () => {
  const tokens = captchaTokens();
  const token = tokens.take(1000);
  tokens.cancelTimeouts();
  vi.advanceTimersByTime(60_000);
  tokens.made("at last");
  expect(await token).toBe("at last");
});
