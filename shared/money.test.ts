import fc from "fast-check";
import { expect, test } from "vitest";
import { isPayable, percentOf, priceLine, priceLines, type QuantityDiscount, quantityPercentage } from "./money.ts";

const CARDS: QuantityDiscount[] = [
  { min_quantity: 25, percentage: 10 },
  { min_quantity: 10, percentage: 5 },
  { min_quantity: 100, percentage: 15 },
];

test.each([
  [1, 0],
  [9, 0],
  [10, 5],
  [24, 5],
  [25, 10],
  [99, 10],
  [100, 15],
])("%i cards at once cost %i%% less", (quantity, percentage) =>
  expect(quantityPercentage(quantity, CARDS)).toBe(percentage),
);

test("Spec §9: a wedding's 100 cards cost 15% less", () =>
  expect(priceLine({ unit_amount: 2500, quantity: 100, quantityDiscounts: CARDS })).toEqual({
    subtotal: 250_000,
    discount: 37_500,
    total: 212_500,
  }));

test.each([
  [4500, 15, 675],
  [2500, 12.5, 313],
  [1, 50, 1],
  [1, 49.99, 0],
  // With floating-point fractions, this would be 1.4999999999999998.
  [30, 5, 2],
])("of %i pence %d%% are %i pence: halves are rounded up", (amount, percentage, expected) =>
  expect(percentOf(amount, percentage)).toBe(expected),
);

const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const line = fc.record({
  unit_amount: fc.integer({ min: 0, max: 1_000_000 }),
  quantity: fc.integer({ min: 1, max: 1000 }),
  quantityDiscounts: fc.array(fc.record({ min_quantity: fc.integer({ min: 1, max: 200 }), percentage })),
  voucherPercentage: percentage,
});

test("every price is in whole pence, adds up, and lies between zero and the full price", () =>
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { subtotal, discount, total } = priceLines(lines);
      for (const amount of [subtotal, discount, total]) expect(Number.isSafeInteger(amount)).toBe(true);
      expect(subtotal).toBe(lines.reduce((sum, one) => sum + one.unit_amount * one.quantity, 0));
      expect(total + discount).toBe(subtotal);
      expect(total).toBeGreaterThanOrEqual(0);
      expect(total).toBe(lines.reduce((sum, one) => sum + priceLine(one).total, 0));
    }),
  ));

test("a percentage is exact to half a penny, and a larger one never gives less", () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), percentage, percentage, (amount, one, other) => {
      const hundredths = BigInt(Math.round(one * 100));
      const twice = 2n * BigInt(amount) * hundredths;
      const off = 2n * 10_000n * BigInt(percentOf(amount, one)) - twice;
      expect(off > -10_000n && off <= 10_000n).toBe(true);
      if (one <= other) expect(percentOf(amount, one)).toBeLessThanOrEqual(percentOf(amount, other));
    }),
  ));

test("a voucher of 100% leaves nothing to pay, and one of 0% everything", () =>
  fc.assert(
    fc.property(line, (one) => {
      expect(priceLine({ ...one, voucherPercentage: 100 }).total).toBe(0);
      const { voucherPercentage: _none, ...without } = one;
      expect(priceLine({ ...one, voucherPercentage: 0 })).toEqual(priceLine(without));
    }),
  ));

test("an amount must be zero or at least the banks' minimum", () => {
  expect([0, 1, 29, 30].map((amount) => isPayable(amount, "GBP"))).toEqual([true, false, false, true]);
  expect([0, 1, 49, 50].map((amount) => isPayable(amount, "EUR"))).toEqual([true, false, false, true]);
});
