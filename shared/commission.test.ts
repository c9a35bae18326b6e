import fc from "fast-check";
import { expect, test } from "vitest";
import { commissionOf } from "./commission.ts";

/** Random payments with tax and refund, in pence. */
const payments = fc.integer({ min: 1, max: 2_000_000_000 }).chain((total) =>
  fc.record({
    total: fc.constant(total),
    tax: fc.integer({ min: 0, max: total }),
    refunded: fc.integer({ min: 0, max: total }),
  }),
);

test("Spec §9: 30 % of what was paid, half a penny rounded up", () => {
  expect(commissionOf({ total: 12_000 })).toBe(3600);
  expect(commissionOf({ total: 4500 })).toBe(1350);
  expect(commissionOf({ total: 5 })).toBe(2);
  expect(commissionOf({ total: 4 })).toBe(1);
  expect(commissionOf({ total: 0 })).toBe(0);
});

test("tax and refunds earn no commission", () => {
  expect(commissionOf({ total: 12_000, tax: 2000 })).toBe(3000);
  expect(commissionOf({ total: 12_000, tax: 2000, refunded: 6000 })).toBe(1500);
  expect(commissionOf({ total: 12_000, refunded: 12_000 })).toBe(0);
});

test("a commission is 30 % of the remaining payment, to half a penny", () => {
  fc.assert(
    fc.property(payments, ({ total, tax, refunded }) => {
      const commission = commissionOf({ total, tax, refunded });
      // In units of 1/(10 · total) pence, so that nothing is rounded.
      const exact = 3n * BigInt(total - refunded) * BigInt(total - tax);
      const twiceOff = 2n * (BigInt(commission) * 10n * BigInt(total) - exact);
      expect(twiceOff > -10n * BigInt(total) && twiceOff <= 10n * BigInt(total)).toBe(true);
    }),
  );
});

test("a larger refund leaves a smaller commission, down to zero", () => {
  fc.assert(
    fc.property(payments, fc.nat(), ({ total, tax, refunded }, more) => {
      const now = commissionOf({ total, tax, refunded });
      const later = commissionOf({ total, tax, refunded: Math.min(total, refunded + more) });
      expect(later).toBeLessThanOrEqual(now);
      expect(commissionOf({ total, tax, refunded: total })).toBe(0);
    }),
  );
});
