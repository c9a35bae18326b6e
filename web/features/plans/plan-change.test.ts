import fc from "fast-check";
import { expect, test } from "vitest";
import type { HeldPlan } from "../../data/held-plans.queries.ts";
import { type Offer, planChange, yearsAfter } from "./plan-change.ts";

const POSITIONS = { "skies-starter": 1, "skies-memories": 2, "skies-pro": 3, "skies-master": 4 };
const memories: Offer = { id: "skies-memories", position: 2, term_years: 1, amount: 4500 };
const pro: Offer = { id: "skies-pro", position: 3, term_years: 3, amount: 12_000 };
const master: Offer = { id: "skies-master", position: 4, term_years: 5, amount: 18_000 };
const now = new Date("2030-01-01T00:00:00Z");

const ownPlan = (plan_id: string, starts_at: string, expires_at: string, amount: number, credit = 0): HeldPlan => ({
  plan_id,
  name: plan_id,
  status: "active",
  starts_at,
  expires_at,
  amount,
  credit,
});

test("the first plan begins at once and lasts its calendar years", () =>
  expect(planChange([], POSITIONS, pro, now)).toEqual({
    kind: "new",
    startsAt: now,
    expiresAt: new Date("2033-01-01T00:00:00Z"),
    credit: 0,
    extraDays: 0,
  }));

test("renewing the same plan adds its term to the end of the running one", () =>
  expect(
    planChange([ownPlan("skies-memories", "2029-06-01", "2030-06-01", 4500)], POSITIONS, memories, now),
  ).toMatchObject({ kind: "renew", expiresAt: new Date("2031-06-01T00:00:00Z"), credit: 0 }));

test("a smaller plan begins when the larger one ends", () =>
  expect(
    planChange([ownPlan("skies-pro", "2029-01-01", "2032-01-01", 12_000)], POSITIONS, memories, now),
  ).toMatchObject({
    kind: "down",
    startsAt: new Date("2032-01-01T00:00:00Z"),
    expiresAt: new Date("2033-01-01T00:00:00Z"),
  }));

test("an upgrade credits the remaining value: half a year of Memories gives 229 days of Master, rounded up", () =>
  expect(
    planChange([ownPlan("skies-memories", "2029-07-02T12:00Z", "2030-07-02T12:00Z", 4500)], POSITIONS, master, now),
  ).toMatchObject({ kind: "up", credit: 2250, extraDays: 229 }));

test("an expired plan has no remaining value", () =>
  expect(planChange([ownPlan("skies-pro", "2020-01-01", "2030-01-01", 99)], POSITIONS, pro, now).kind).toBe("new"));

test.each([
  ["2028-02-29T10:00:00Z", 1, "2029-02-28T10:00:00Z"],
  ["2028-02-29T10:00:00Z", 4, "2032-02-29T10:00:00Z"],
  ["2030-12-31T23:59:59Z", 3, "2033-12-31T23:59:59Z"],
])("%s and %i years are %s", (from, years, to) => expect(yearsAfter(new Date(from), years)).toEqual(new Date(to)));

const day = fc.integer({ min: -2000, max: 2000 }).map((days) => new Date(now.getTime() + days * 86_400_000));
const plan = fc
  .record({ from: day, length: fc.integer({ min: 1, max: 2500 }), amount: fc.nat(20_000), credit: fc.nat(20_000) })
  .map(({ from, length, amount, credit }) =>
    ownPlan(
      "skies-memories",
      from.toISOString(),
      new Date(from.getTime() + length * 86_400_000).toISOString(),
      amount,
      credit,
    ),
  );

test("an upgrade loses no value and adds at most one day", () =>
  fc.assert(
    fc.property(fc.array(plan, { maxLength: 4 }), fc.constantFrom(pro, master), (plans, offer) => {
      const change = planChange(plans, POSITIONS, offer, now);
      const remaining = plans
        .map((one) => {
          const length = Date.parse(one.expires_at) - Date.parse(one.starts_at);
          const from = Math.max(Date.parse(one.starts_at), now.getTime());
          return ((one.amount + one.credit) * Math.max(0, Date.parse(one.expires_at) - from)) / length;
        })
        .reduce((sum, value) => sum + value, 0);
      const perDay = (offer.amount * 86_400_000) / (yearsAfter(now, offer.term_years).getTime() - now.getTime());
      expect(change.extraDays * perDay).toBeGreaterThanOrEqual(remaining - 1e-6);
      expect(change.extraDays * perDay).toBeLessThan(remaining + perDay + 1e-6);
      expect(change.credit).toBeGreaterThanOrEqual(remaining - 1e-6);
      expect(change.credit).toBeLessThan(remaining + 1);
    }),
  ));
