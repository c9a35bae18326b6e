import { isMailable } from "../../shared/credentials.ts";
import type { Currency } from "../../shared/money.ts";
import type { Transaction } from "../database/database.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import type { OrderStatus } from "./order-status.ts";

/** What an order was before it changed. */
interface Before {
  id: string;
  status: OrderStatus;
  refunded: number;
}

/** What it is now; `gone` of its total went back, in pence or cents. */
interface Now {
  status: OrderStatus;
  gone: number;
  disputeId: string | undefined;
}

interface Row {
  email: string;
  language: "en" | "it";
  number: string;
  currency: Currency;
  total: number;
  paid_at: Date | null;
  plan: boolean;
  cards: boolean;
}

/**
 * Owes the buyer of an order a letter about what has just become of its payment, besides the receipt: money that goes
 * back, a bank that asks, a bank that did not pay. One for each, however often it is told of.
 */
export async function enqueueOrderEmails(tx: Transaction, before: Before, now: Now, site: string): Promise<void> {
  const failed = now.status === "failed" && before.status !== "failed";
  const disputed = now.status === "disputed" && before.status !== "disputed";
  const amount = now.gone - before.refunded;
  if (!failed && !disputed && amount <= 0) return;

  const { id } = before;
  const { rows } = await tx.query<Row>(
    `select o.email, o.language, o.number, o.currency, o.total, o.paid_at, bool_or(i.kind = 'plan') as plan,
       bool_or(i.kind = 'card' or (i.terms ->> 'included_cards')::integer > 0) is true as cards
     from orders o join order_items i on i.order_id = o.id where o.id = $1 group by o.id`,
    [id],
  );
  const [order] = rows;
  if (!order || !isMailable(order.email)) return;
  const { email: to, language, number, currency, total, paid_at, plan, cards } = order;
  const orderUrl = `${site}/orders/${id}`;
  if (failed) {
    await enqueueMail(tx, {
      ...{ template: "payment-failed", language, to, dedupeKey: `failed payment of ${id}` },
      props: { number, currency, total, cartUrl: `${site}/cart` },
    });
  }
  if (disputed && paid_at) {
    await enqueueMail(tx, {
      ...{ template: "order-disputed", language, to, dedupeKey: `dispute of ${id}: ${now.disputeId}` },
      props: { number, currency, total, paidAt: paid_at.toISOString(), orderUrl },
    });
  }
  if (amount > 0) {
    await enqueueMail(tx, {
      ...{ template: "order-refunded", language, to, dedupeKey: `refund of ${id}: ${now.gone}` },
      props: { number, currency, amount, remains: total - now.gone, plan, cards, orderUrl },
    });
  }
}
