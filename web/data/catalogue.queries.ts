import { queryOptions } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import { type Currency, priceLine, type QuantityDiscount } from "../../shared/money.ts";
import { publicRows } from "../lib/request/public-rows.ts";
import type { Voucher } from "../lib/session/voucher.ts";
import { queryKeys } from "./query-keys.ts";
import type { PlanLimits } from "./subscription.ts";

type Amount = Pick<Row<"plan_prices">, "currency" | "amount">;

/** A plan with today's prices. */
export type CataloguePlan = PlanLimits &
  Pick<Row<"subscription_plans">, "id" | "position" | "term_years" | "included_cards"> & {
    /** Empty if it is free, or not for sale. */
    plan_prices: Amount[];
  };

export interface Catalogue {
  plans: CataloguePlan[];
  card: { product_prices: Amount[]; quantity_discounts: QuantityDiscount[] } | null;
}

const PLAN = "id,name,position,max_memories,storage_gb,term_years,included_cards,plan_prices(currency,amount)";
const CARD = "product_prices(currency,amount),quantity_discounts(min_quantity,percentage)";

/** All plans, smallest first, and the metal card, with their prices. */
export const catalogueQuery = queryOptions({
  queryKey: queryKeys.catalogue(),
  queryFn: async ({ signal }): Promise<Catalogue> => {
    const failed = "Failed to load plans";
    const [plans, cards] = await Promise.all([
      publicRows<CataloguePlan>(
        "subscription_plans",
        [
          ["select", PLAN],
          ["order", "position"],
        ],
        signal,
        failed,
      ),
      publicRows<NonNullable<Catalogue["card"]>>(
        "products",
        [
          ["select", CARD],
          ["id", "eq.metal-card"],
        ],
        signal,
        failed,
      ),
    ]);
    return { plans, card: cards[0] ?? null };
  },
});

/** The price in a currency, in pence or cents; undefined if it is not for sale in it. */
export const amountIn = (currency: Currency, amounts: readonly Amount[]): number | undefined =>
  amounts.find((one) => one.currency === currency)?.amount;

/** The price after the applied voucher. */
export const discounted = (amount: number, voucher: Pick<Voucher, "percentage" | "covers">, planId: string | null) =>
  priceLine({
    unit_amount: amount,
    quantity: 1,
    voucherPercentage: voucher.covers(planId) ? voucher.percentage : 0,
  }).total;
