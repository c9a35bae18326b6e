import { expect, test } from "vitest";
import { remaining } from "../lib/formatting/remaining.ts";
import { FunctionRefusal } from "../lib/request/call-function.ts";
import { afterFailure, nextStep, type OpenSession } from "./share-state.ts";

const refusal = (status: number, code: string, details: Record<string, unknown> = {}) =>
  new FunctionRefusal(status, "No.", code, details);
const first = { had: false, pin: false };

test("a link with a PIN asks for it", () => {
  expect(afterFailure(refusal(401, "pin_required"), first)).toEqual({
    state: "pin",
    asks: "pin",
    reason: "asked",
  });
  expect(afterFailure(refusal(401, "pin_required", { asks: "passphrase" }), first)).toMatchObject({
    asks: "passphrase",
  });
});

test("a visitor with the page open reads that the link has closed, and not why", () => {
  expect(afterFailure(refusal(401, "pin_required"), { had: true, pin: false })).toEqual({
    state: "pin",
    asks: "pin",
    reason: "closed",
  });
});

test("a visitor whose link has expired does not read about a new PIN, even from a server that asks for one", () => {
  const pinRequired = refusal(401, "pin_required");
  expect(afterFailure(pinRequired, { had: true, pin: false, over: true })).toEqual({
    state: "ended",
    reason: "expired",
  });
});

test("a wrong PIN says how many tries are left", () => {
  expect(
    afterFailure(refusal(401, "pin_wrong", { triesLeft: 2, lockedUntil: null }), { had: false, pin: true }),
  ).toEqual({
    state: "pin",
    asks: "pin",
    reason: "wrong",
    triesLeft: 2,
  });
});

test("the attempt that locks the link, and every later one, says until when", () => {
  const lockedUntil = "2026-11-20T12:00:00.000Z";
  const locked = { state: "locked", asks: "pin", until: new Date(lockedUntil) };
  expect(afterFailure(refusal(401, "pin_wrong", { triesLeft: 0, lockedUntil }), first)).toEqual(locked);
  expect(afterFailure(refusal(429, "locked", { lockedUntil }), first)).toEqual(locked);
});

test("an expired link and a closed link have different states", () => {
  expect(afterFailure(refusal(410, "expired"), first)).toEqual({ state: "ended", reason: "expired" });
  expect(afterFailure(refusal(410, "revoked"), { had: true, pin: false })).toEqual({
    state: "ended",
    reason: "revoked",
  });
});

test.each<[string, number, number | null, { step: string; after: number }]>([
  ["a token of an hour is renewed five minutes before it ends", 3600, null, { step: "renew", after: 3300 }],
  ["a short token is renewed at half its lifetime", 60, null, { step: "renew", after: 30 }],
  ["a token that has just ended is renewed in a second", 0, null, { step: "renew", after: 1 }],
  ["a token of a link that ends later is renewed like any other", 3600, 7200, { step: "renew", after: 3300 }],
  ["a token that ends with its link is not renewed", 600, 600.9, { step: "end", after: 600.9 }],
])("%s", (_what, token, link, expected) => {
  const session = {
    expiresAt: token * 1000,
    endsAt: link === null ? null : new Date(link * 1000).toISOString(),
  } as OpenSession;
  const { step, after } = nextStep(session, 0, 0);
  expect({ step, after: after / 1000 }).toEqual(expected);

  // On a device whose clock is a day ahead or behind, the token is kept by that clock.
  for (const day of [86_400_000, -86_400_000]) {
    const laterSession = { ...session, expiresAt: session.expiresAt + day };
    expect(nextStep(laterSession, day, 0)).toEqual({ step, after });
  }
});

test("a network failure is not shown as a refusal", () => {
  expect(afterFailure(new TypeError("Failed to fetch"), first)).toEqual({ state: "unreachable", reason: "first" });
  expect(afterFailure(refusal(502, ""), { had: true, pin: true })).toEqual({ state: "unreachable", reason: "pin" });
});

test.each([
  [0, "0:00"],
  [8_100, "0:09"],
  [249_000, "4:09"],
  [3_849_000, "1:04:09"],
])("a wait of %d ms is shown as %s", (milliseconds, text) => {
  expect(remaining(milliseconds)).toBe(text);
});
