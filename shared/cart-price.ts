import { type Price, priceLine, type QuantityDiscount, quantityPercentage } from "./money.ts";

/** The product that a plan's line can contain in addition. */
export const CARD = "metal-card";

/** The fields of a cart line that determine its price. */
export interface CartThing {
  plan_id: string | null;
  product_id: string | null;
  quantity: number;
  /** Cards in addition to those that the plan includes. */
  additional_cards: number;
}

/** The catalogue's unit prices in one currency, in pence or cents, by id. */
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

/** A priced line: a plan, or a number of cards. `from` is the index of its line in the cart. */
export interface SoldLine extends Price {
  kind: "plan" | "card";
  id: string;
  from: number;
  quantity: number;
  unit_amount: number;
}

/**
 * Returns the priced lines of a cart. Quantity discounts count all cards together, and the voucher applies to the
 * amount after them (Spec §9). Items without a price are omitted; `from` identifies the lines.
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
