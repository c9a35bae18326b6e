import { expect, test } from "vitest";
import { FunctionRefusal } from "../../lib/call-function.ts";
import { afterFailure, remaining } from "./share-state.ts";

const refusal = (status: number, code: string, details: Record<string, unknown> = {}) =>
  new FunctionRefusal(status, "No.", code, details);
const first = { had: false, pin: false };

test("a link with a PIN asks for it", () => {
  expect(afterFailure(refusal(401, "pin_required"), first)).toEqual({ state: "pin", reason: "asked" });
});

test("whoever had it open when the PIN was changed is told so", () => {
  expect(afterFailure(refusal(401, "pin_required"), { had: true, pin: false })).toEqual({
    state: "pin",
    reason: "changed",
  });
});

test("a wrong PIN says how many tries are left", () => {
  expect(
    afterFailure(refusal(401, "pin_wrong", { triesLeft: 2, lockedUntil: null }), { had: false, pin: true }),
  ).toEqual({
    state: "pin",
    reason: "wrong",
    triesLeft: 2,
  });
});

test("the try that shuts the link, and every one after it, says until when", () => {
  const lockedUntil = "2026-11-20T12:00:00.000Z";
  const locked = { state: "locked", until: new Date(lockedUntil) };
  expect(afterFailure(refusal(401, "pin_wrong", { triesLeft: 0, lockedUntil }), first)).toEqual(locked);
  expect(afterFailure(refusal(429, "locked", { lockedUntil }), first)).toEqual(locked);
});

test("a lost network is not taken for a refusal", () => {
  expect(afterFailure(new TypeError("Failed to fetch"), first)).toEqual({ state: "unreachable", reason: "first" });
  expect(afterFailure(refusal(502, ""), { had: true, pin: true })).toEqual({ state: "unreachable", reason: "pin" });
});

test.each([
  [0, "0:00"],
  [8_100, "0:09"],
  [249_000, "4:09"],
  [3_849_000, "1:04:09"],
])("%d ms are shown as %s", (milliseconds, shown) => {
  expect(remaining(milliseconds)).toBe(shown);
});
