import { type Price, priceLine, type QuantityDiscount, quantityPercentage } from "./money.ts";

/** The product that can also be bought beside a plan. */
export const CARD = "metal-card";

/** The parts of a cart's line that set its price. */
export interface CartThing {
  plan_id: string | null;
  product_id: string | null;
  quantity: number;
  /** Cards beside those that a plan includes. */
  additional_cards: number;
}

/** The catalogue's prices in one currency: pence or cents for one piece, by id. */
export interface CataloguePrices {
  plans: Readonly<Record<string, number>>;
  products: Readonly<Record<string, number>>;
  discounts: readonly (QuantityDiscount & { product_id: string })[];
}

/** A valid voucher, and the items it covers. */
export interface CartVoucher {
  percentage: number;
  /** Null for all plans. */
  plan_ids: readonly string[] | null;
  applies_to_cards: boolean;
}

/** A line as it is sold: a plan, or so many cards. `from` is the place of the cart's line that it came from. */
export interface SoldLine extends Price {
  kind: "plan" | "card";
  id: string;
  from: number;
  quantity: number;
  unit_amount: number;
}

/**
 * The price of a cart, line by line. Quantity discounts count all cards together, and the voucher applies to the rest
 * (Spec §9). Items without a price are left out; `from` identifies the lines.
 */
export function priceCart(
  things: readonly CartThing[],
  { plans, products, discounts }: CataloguePrices,
  voucher?: CartVoucher,
): SoldLine[] {
  const pieces = (id: string) =>
    things.reduce(
      (sum, thing) => sum + (thing.product_id === id ? thing.quantity : 0) + (id === CARD ? thing.additional_cards : 0),
      0,
    );
  const plan = (id: string, from: number, quantity: number): SoldLine[] => {
    const unit_amount = plans[id];
    if (unit_amount === undefined) return [];
    const covered = voucher && (voucher.plan_ids === null || voucher.plan_ids.includes(id));
    const price = priceLine({ unit_amount, quantity, voucherPercentage: covered ? voucher.percentage : 0 });
    return [{ kind: "plan", id, from, quantity, unit_amount, ...price }];
  };
  const product = (id: string, from: number, quantity: number): SoldLine[] => {
    const unit_amount = products[id];
    if (unit_amount === undefined || quantity === 0) return [];
    const percentage = quantityPercentage(
      pieces(id),
      discounts.filter(({ product_id }) => product_id === id),
    );
    const price = priceLine({
      unit_amount,
      quantity,
      quantityDiscounts: [{ min_quantity: 1, percentage }],
      voucherPercentage: voucher?.applies_to_cards ? voucher.percentage : 0,
    });
    return [{ kind: "card", id, from, quantity, unit_amount, ...price }];
  };
  return things.flatMap(({ plan_id, product_id, quantity, additional_cards }, from) => [
    ...(plan_id === null ? [] : plan(plan_id, from, quantity)),
    ...(product_id === null ? [] : product(product_id, from, quantity)),
    ...product(CARD, from, additional_cards),
  ]);
}
