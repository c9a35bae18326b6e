import { expect, test } from "vitest";
import { type CartThing, type CataloguePrices, priceCart } from "./cart-price.ts";

const catalogue: CataloguePrices = {
  plans: { "skies-memories": 4500 },
  products: { "metal-card": 2500 },
  discounts: [
    { product_id: "metal-card", min_quantity: 10, percentage: 5 },
    { product_id: "metal-card", min_quantity: 100, percentage: 15 },
  ],
};
const plan = (additional_cards = 0): CartThing => ({
  plan_id: "skies-memories",
  product_id: null,
  quantity: 1,
  additional_cards,
});
const cards = (quantity: number): CartThing => ({
  plan_id: null,
  product_id: "metal-card",
  quantity,
  additional_cards: 0,
});
const totals = (lines: ReturnType<typeof priceCart>) => lines.map(({ kind, total }) => [kind, total]);

test("a plan and the cards beside it are two lines", () => {
  expect(totals(priceCart([plan(2)], catalogue))).toEqual([
    ["plan", 4500],
    ["card", 5000],
  ]);
});

test("Spec §9: a hundred cards cost 15% less, on however many lines of the cart", () => {
  expect(totals(priceCart([cards(100)], catalogue))).toEqual([["card", 212_500]]);
  expect(totals(priceCart([cards(8), plan(2)], catalogue))).toEqual([
    ["card", 19_000],
    ["plan", 4500],
    ["card", 4750],
  ]);
});

test("a voucher applies to its products only, after the volume discount", () => {
  const voucher = { percentage: 10, plan_ids: null, applies_to_cards: true };
  expect(totals(priceCart([cards(10), plan()], catalogue, voucher))).toEqual([
    ["card", 21_375],
    ["plan", 4050],
  ]);
  const forCards = { ...voucher, plan_ids: [] };
  expect(totals(priceCart([cards(1), plan()], catalogue, forCards))).toEqual([
    ["card", 2250],
    ["plan", 4500],
  ]);
  const forPlans = { ...voucher, applies_to_cards: false };
  expect(totals(priceCart([cards(1), plan()], catalogue, forPlans))).toEqual([
    ["card", 2500],
    ["plan", 4050],
  ]);
});

test("a product that is not for sale has no line", () => {
  const gold = { plan_id: "gold", product_id: null, quantity: 1, additional_cards: 0 };
  expect(priceCart([gold, plan()], catalogue).map(({ from }) => from)).toEqual([1]);
});
