import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CARD, type CataloguePrices, priceCart, type SoldLine } from "../../../shared/cart-price.ts";
import { type Currency, priceLines } from "../../../shared/money.ts";
import { addToCart, cartQuery, useCart, useChangeCurrency } from "../../data/cart.queries.ts";
import type { CartItem } from "../../data/cart-item.ts";
import { amountIn, type Catalogue, catalogueQuery } from "../../data/catalogue.queries.ts";
import { hasPendingItems, rememberPendingItems, takePendingItems } from "../../data/pending-cart.ts";
import { currencyFor } from "../../lib/formatting/currency.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useVoucher } from "../../lib/session/voucher.ts";
import { toast } from "../../ui/toasts.tsx";

/** A cart's prices in pence or cents; the server computes them by the same rule. */
export interface CartTotals {
  subtotal: number;
  /** The quantity discount. */
  forMany: number;
  /** The voucher's discount. */
  voucher: number;
  total: number;
}

/** The person's cart in the currency of their language, with its items and prices. */
export function usePricedCart(userId: string) {
  const { i18n } = useTranslation();
  const currency = currencyFor(i18n.language);
  const cart = useCart(supabase, userId);
  const catalogue = useQuery(catalogueQuery);
  const voucher = useVoucher();
  const adding = useAddPendingItems(userId);
  useOneCurrency(userId, cart.data, currency);

  const prices = catalogue.data && pricesIn(catalogue.data, currency);
  const items = cart.data ?? [];
  const full = prices ? priceCart(items, prices) : [];
  const sold = prices && catalogue.data && voucher.status === "valid" ? priceCart(items, prices, covered()) : full;
  const before = sumOf(full);
  const totals: CartTotals = {
    subtotal: before.subtotal,
    forMany: before.discount,
    voucher: before.total - sumOf(sold).total,
    total: sumOf(sold).total,
  };
  /** The code for checkout. The server would refuse a voucher that reduces nothing. */
  const voucherCode = totals.voucher > 0 && voucher.code ? voucher.code : undefined;
  return { cart, adding, catalogue, currency, items, sold: full, totals, voucher, voucherCode };

  function covered() {
    const plans = catalogue.data?.plans ?? [];
    return {
      percentage: voucher.percentage,
      plan_ids: plans.filter(({ id }) => voucher.covers(id)).map(({ id }) => id),
      applies_to_cards: voucher.covers(null),
    };
  }
}

const sumOf = (lines: readonly SoldLine[]) => {
  const sum = priceLines([]);
  for (const { subtotal, discount, total } of lines) {
    sum.subtotal += subtotal;
    sum.discount += discount;
    sum.total += total;
  }
  return sum;
};

function pricesIn({ plans, card }: Catalogue, currency: Currency): CataloguePrices {
  const amount = card ? amountIn(currency, card.product_prices) : undefined;
  return {
    plans: Object.fromEntries(
      plans.flatMap(({ id, plan_prices }) => {
        const price = amountIn(currency, plan_prices);
        return price === undefined ? [] : [[id, price]];
      }),
    ),
    products: amount === undefined ? {} : { [CARD]: amount },
    discounts: (card?.quantity_discounts ?? []).map((one) => ({ ...one, product_id: CARD })),
  };
}

/** Changes the rows to the currency of the person's language (Spec §9), which checkout uses in any case. */
function useOneCurrency(userId: string, items: CartItem[] | undefined, currency: Currency) {
  const { mutate, status } = useChangeCurrency(supabase, userId);
  const differs = items?.some((item) => item.currency !== currency) === true;
  useEffect(() => {
    // A failed change is not repeated.
    if (differs && (status === "idle" || status === "success")) mutate(currency);
  }, [differs, status, currency, mutate]);
}

/**
 * Adds items that were chosen before signing in. If this fails, they stay stored, and a button offers a retry. Returns
 * whether items are being added, because until then the cart is not really empty.
 */
function useAddPendingItems(userId: string): boolean {
  const cache = useQueryClient();
  const { t } = useTranslation(["cart", "common"]);
  const [adding, setAdding] = useState(hasPendingItems);
  useEffect(() => {
    const put = async () => {
      const pending = takePendingItems();
      if (pending.length === 0) return;
      try {
        await addToCart(supabase, userId, pending);
        // A read that began before lacks the new items. A reset gives it up, and the cart is unknown until the next.
        await cache.resetQueries({ queryKey: cartQuery(supabase, userId).queryKey });
      } catch {
        rememberPendingItems(pending);
        toast({
          title: t("wantedFailed"),
          description: t("wantedKept"),
          tone: "problem",
          action: { label: t("common:problem.retry"), onSelect: () => void put() },
        });
      }
      setAdding(false);
    };
    void put();
  }, [cache, userId, t]);
  return adding;
}
