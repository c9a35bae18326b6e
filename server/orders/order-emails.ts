import { isMailable } from "../../shared/credentials.ts";
import type { Currency } from "../../shared/money.ts";
import type { Transaction } from "../database/database.ts";
import type { EmailProps } from "../emails/email-props.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import { lineName } from "./line-name.ts";
import type { OrderStatus } from "./order-status.ts";

type Receipt = EmailProps["receipt"];

interface Row extends Omit<Receipt, "ordersUrl" | "lines"> {
  email: string;
  language: "en" | "it";
  lines: (Receipt["lines"][number] & { id: string | null })[];
}

/** The receipt of an order and its recipient, as far as `tx` may read it; undefined if its buyer has no email. */
export async function receiptMail(tx: Transaction, orderId: string, site: string) {
  const { rows } = await tx.query<Row>(
    `select o.email, o.language, o.number, o.paid_at as "paidAt", o.currency, o.subtotal, o.discount, o.tax, o.total,
       o.voucher_code as voucher,
       (select jsonb_agg(jsonb_build_object('id', i.product_id, 'name', i.terms ->> 'name', 'years', (i.terms ->> 'term_years')::integer,
          'quantity', i.quantity, 'amount', i.unit_amount * i.quantity) order by i.position)
        from order_items i where i.order_id = o.id) as lines
     from orders o where o.id = $1 and o.paid_at is not null`,
    [orderId],
  );
  const [order] = rows;
  if (!order || !isMailable(order.email)) return undefined;
  const { email, language, ...receipt } = order;
  const lines = order.lines.map(({ id, ...line }) => ({ ...line, name: lineName(language, { id, name: line.name }) }));
  return { to: email, language, props: { ...receipt, lines, ordersUrl: `${site}/orders` } };
}

/** Enqueues an order's receipt for its buyer, at most once. */
export async function enqueueReceipt(tx: Transaction, orderId: string, site: string): Promise<void> {
  const mail = await receiptMail(tx, orderId, site);
  if (mail) await enqueueMail(tx, { template: "receipt", ...mail, dedupeKey: `receipt of ${orderId}` });
}

/** The state of an order before a change. */
interface Before {
  id: string;
  status: OrderStatus;
  refunded: number;
}

/** The state after the change; `gone`: the part of the total that was refunded or lost, in pence or cents. */
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
  accountDeleted: boolean;
  plan: boolean;
  cards: boolean;
}

/**
 * Enqueues an email to the buyer about a change of the payment, besides the receipt: a refund, a bank's query, a
 * payment that failed. At most one email for each change.
 */
export async function enqueueOrderEmails(tx: Transaction, before: Before, now: Now, site: string): Promise<void> {
  const failed = now.status === "failed" && before.status !== "failed";
  const disputed = now.status === "disputed" && before.status !== "disputed";
  const amount = now.gone - before.refunded;
  if (!failed && !disputed && amount <= 0) return;

  const { id } = before;
  const { rows } = await tx.query<Row>(
    `select o.email, o.language, o.number, o.currency, o.total, o.paid_at, o.user_id is null as "accountDeleted",
       bool_or(i.kind = 'plan') as plan, bool_or(i.kind = 'card' or (i.terms ->> 'included_cards')::integer > 0) is true as cards
     from orders o join order_items i on i.order_id = o.id where o.id = $1 group by o.id`,
    [id],
  );
  const [order] = rows;
  if (!order || !isMailable(order.email)) return;
  const { email: to, language, number, currency, total, paid_at, accountDeleted, plan, cards } = order;
  const orderUrl = `${site}/orders/${id}`;
  // For a deleted account nothing was charged, and there is no cart to return to.
  if (failed && !accountDeleted) {
    await enqueueMail(tx, {
      template: "payment-failed",
      language,
      to,
      dedupeKey: `failed payment of ${id}`,
      props: { number, currency, total, cartUrl: `${site}/cart` },
    });
  }
  if (disputed && paid_at) {
    await enqueueMail(tx, {
      template: "order-disputed",
      language,
      to,
      dedupeKey: `dispute of ${id}: ${now.disputeId}`,
      props: { number, currency, total, paidAt: paid_at.toISOString(), orderUrl },
    });
  }
  if (amount > 0) {
    await enqueueMail(tx, {
      template: "order-refunded",
      language,
      to,
      dedupeKey: `refund of ${id}: ${now.gone}`,
      props: { number, currency, amount, remains: total - now.gone, plan, cards, accountDeleted, orderUrl },
    });
  }
}
