import type { Currency } from "../../shared/money.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { PaymentDeps } from "./apply-payment.ts";
import { lineName } from "./line-name.ts";

/** An order whose page is open, or about to be. */
export interface Opened {
  id: string;
  number: string;
  email: string;
  language: "en" | "it";
  currency: Currency;
  discount: number;
  voucher_code: string | null;
  success_url: string;
  cancel_url: string;
  session_id: string | null;
  session_url: string | null;
  expires_at: Date;
}
export const OPENED = `id, number, email, language, currency, discount, voucher_code, success_url, cancel_url, session_id,
  session_url, expires_at`;

/** The provider's page for an order: the one it has, or the one it gets, which is the same however often it is asked for. */
export async function openPage({ db, payments }: PaymentDeps, order: Opened): Promise<{ id: string; url: string }> {
  if (order.session_id && order.session_url) return { id: order.session_id, url: order.session_url };
  const { rows: lines } = await db.query<{ id: string | null; name: string; quantity: number; unit_amount: number }>(
    "select product_id as id, terms ->> 'name' as name, quantity, unit_amount from order_items where order_id = $1 order by position",
    [order.id],
  );
  const plans = await db.query<{ cards: boolean }>(
    "select bool_or(kind = 'card' or (terms ->> 'included_cards')::integer > 0) as cards from order_items where order_id = $1",
    [order.id],
  );
  const { id, url } = await payments.openSession({
    orderId: order.id,
    number: order.number,
    email: order.email,
    language: order.language,
    currency: order.currency,
    lines: lines.map(({ quantity, unit_amount, ...line }) => ({
      name: lineName(order.language, line),
      quantity,
      unitAmount: unit_amount,
    })),
    discount: order.discount,
    discountName: order.voucher_code ?? DISCOUNT[order.language],
    posted: plans.rows[0]?.cards === true,
    successUrl: order.success_url,
    cancelUrl: order.cancel_url,
    expiresAt: order.expires_at,
  });
  if (!url) throw new RequestError("no_url");
  await db.query("update orders set session_id = $2, session_url = $3 where id = $1 and session_id is null", [
    order.id,
    id,
    url,
  ]);
  return { id, url };
}

const DISCOUNT = { en: "Discount", it: "Sconto" } as const;
