import {
  type CartThing,
  type CartVoucher,
  type CataloguePrices,
  priceCart,
  type SoldLine,
} from "../../shared/cart-price.ts";
import type { Currency } from "../../shared/money.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Transaction } from "../database/database.ts";

/** A requested line; only its items and quantities are trusted. */
export interface WantedLine extends CartThing {
  /** The id of its cart item, if it is from a stored cart. */
  cart_item_id: string | null;
  details: Record<string, unknown>;
}

export interface OrderLine extends SoldLine {
  /** The catalogue's terms at the time of the order. */
  terms: Record<string, unknown> & { name: string };
  details: Record<string, unknown>;
  cart_item_id: string | null;
}

type Terms = Record<string, Record<string, unknown> & { name: string }>;

/** Prices lines from the server's tables; refuses those not for sale. */
export async function priceLinesOf(
  tx: Transaction,
  wantedLines: readonly WantedLine[],
  currency: Currency,
  voucher?: CartVoucher,
): Promise<OrderLine[]> {
  const { rows } = await tx.query<{ prices: CataloguePrices; plans: Terms; products: Terms }>(
    `select
       jsonb_build_object(
         'plans', (select coalesce(jsonb_object_agg(plan_id, amount), '{}') from plan_prices where currency = $1),
         'products', (select coalesce(jsonb_object_agg(product_id, amount), '{}') from product_prices where currency = $1),
         'discounts', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from quantity_discounts d)) as prices,
       (select jsonb_object_agg(id, jsonb_build_object('name', name, 'max_memories', max_memories, 'storage_gb', storage_gb,
         'term_years', term_years, 'included_cards', included_cards)) from subscription_plans) as plans,
       (select jsonb_object_agg(id, jsonb_build_object('name', name)) from products) as products`,
    [currency],
  );
  const [catalogue] = rows;
  const lines = catalogue ? priceCart(wantedLines, catalogue.prices, voucher) : [];
  return wantedLines.flatMap((one, place) => {
    const own = lines.filter(({ from }) => from === place);
    const kinds = Number(one.plan_id !== null) + Number(one.product_id !== null) + Number(one.additional_cards > 0);
    if (own.length !== kinds) throw new RequestError("not_for_sale");
    return own.map((line): OrderLine => {
      const terms = (line.kind === "plan" ? catalogue?.plans : catalogue?.products)?.[line.id];
      if (!terms) throw new RequestError("not_for_sale");
      return { ...line, terms, details: one.details, cart_item_id: one.cart_item_id };
    });
  });
}

/** Resolves to the voucher of a code; undefined for unknown codes. Its reservation decides whether it is usable. */
export async function voucherBy(tx: Transaction, code: string): Promise<CartVoucher | undefined> {
  const { rows } = await tx.query<{ percentage: string; plan_ids: string[] | null; applies_to_cards: boolean }>(
    "select percentage, plan_ids, applies_to_cards from vouchers where code = private.typed_voucher($1)",
    [code],
  );
  const [discount] = rows;
  return discount && { ...discount, percentage: Number(discount.percentage) };
}
