import type { Database, Transaction } from "../database/database.ts";
import type { PaymentEvent, PaymentFacts, Payments } from "../gateways/payments.ts";
import { enqueueOrderEmails, enqueueReceipt } from "./order-emails.ts";
import { goneOf, nextStatus, type OrderStatus } from "./order-status.ts";

export interface PaymentDeps {
  db: Database;
  payments: Payments;
  /** The site's URL for links in emails. */
  site: string;
}

/** The result of applying a payment's state to its order. */
export interface AppliedPayment {
  orderId: string;
  number: string;
  from: OrderStatus;
  to: OrderStatus;
  changed: boolean;
}

interface Row {
  id: string;
  /** Null if the account was deleted. */
  user_id: string | null;
  number: string;
  status: OrderStatus;
  revision: number;
  session_id: string | null;
  total: number;
  tax: number;
  refunded: number;
  payment_intent: string | null;
  processing: boolean;
}

/** Maximum number of requests to the provider, repeated if a concurrent call changed the order in the meantime. */
const TRIES = 10;

/** Updates an order to the provider's state of its payment; undefined if the payment has no order here. */
export async function applyPayment(
  { db, payments, site }: PaymentDeps,
  sessionId: string,
  event?: PaymentEvent,
): Promise<AppliedPayment | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = await orderBy(db, sessionId);
    const facts = await payments.facts(sessionId);
    const order = before ?? (facts?.orderId ? await orderBy(db, sessionId, facts.orderId) : undefined);
    if (!order || !facts) {
      if (event) await remember(db, event, null);
      return undefined;
    }
    // All effects of a payment are in one transaction, so that a crash leaves all of them or none.
    const applied = await db.transaction(async (tx) => {
      const { rows } = await tx.query<Row>(`${ROW} where id = $1 for update`, [order.id]);
      const [now] = rows;
      if (!now) return undefined;
      // The provider's answer may be older than the stored state.
      if (now.revision !== order.revision) return "again";
      if (event) await remember(tx, event, now.id);
      return apply(tx, now, facts, site);
    });
    if (applied !== "again") return applied;
  }
  throw new Error(`The order of ${sessionId} never held still`);
}

const ROW =
  "select id, user_id, number, status, revision, session_id, total, tax, refunded, payment_intent, processing from orders";

async function orderBy(db: Transaction, sessionId: string, orderId?: string): Promise<Row | undefined> {
  const { rows } = orderId
    ? await db.query<Row>(`${ROW} where id::text = $1 and session_id is null`, [orderId])
    : await db.query<Row>(`${ROW} where session_id = $1`, [sessionId]);
  return rows[0];
}

async function apply(tx: Transaction, order: Row, facts: PaymentFacts, site: string): Promise<AppliedPayment> {
  const to = nextStatus(order.status, facts);
  const isPaid = to === "paid" || to === "refunded" || to === "disputed";
  const payment = {
    session_id: order.session_id ?? facts.session,
    total: isPaid ? facts.total : order.total,
    tax: isPaid ? facts.tax : order.tax,
    refunded: isPaid ? goneOf(facts) : order.refunded,
    payment_intent: facts.intent ?? order.payment_intent,
    processing: to === "pending" && facts.payment === "waiting",
  };
  const changed =
    to !== order.status || Object.entries(payment).some(([column, value]) => order[column as keyof Row] !== value);
  const { id: orderId, number, status: from } = order;
  if (!changed) return { orderId, number, from, to, changed };
  const { rows } = await tx.query<{ first: boolean }>(
    `with before as (select paid_at from orders where id = $1)
     update orders set status = $2, session_id = $3, total = $4, tax = $5, refunded = $6, payment_intent = $7,
       provider_receipt = coalesce($8, provider_receipt), delivery = coalesce($9, delivery),
       email = case when email = '' then coalesce($10, '') else email end, processing = $11
     where id = $1
     returning paid_at is not null and (select paid_at from before) is null as first`,
    [
      orderId,
      to,
      payment.session_id,
      payment.total,
      payment.tax,
      payment.refunded,
      payment.payment_intent,
      facts.receiptUrl ?? null,
      facts.delivery ?? null,
      facts.email ?? null,
      payment.processing,
    ],
  );
  // A payment for a deleted account is refunded, and the email is about the refund.
  if (rows[0]?.first && order.user_id) await enqueueReceipt(tx, orderId, site);
  await enqueueOrderEmails(tx, order, { ...facts, status: to, gone: payment.refunded }, site);
  return { orderId, number, from, to, changed };
}

const remember = (tx: Transaction, { id, type, created }: PaymentEvent, orderId: string | null) =>
  tx.query(
    `insert into private.payment_events (id, type, created, handled_at, order_id) values ($1, $2, $3, now(), $4)
     on conflict (id) do nothing`,
    [id, type, created, orderId],
  );

/** Handles a provider's event once; resolves when the result would survive a crash. */
export async function applyPaymentEvent(deps: PaymentDeps, event: PaymentEvent): Promise<void> {
  const { rows } = await deps.db.query(
    "select 1 from private.payment_events where id = $1 and handled_at is not null",
    [event.id],
  );
  if (rows.length > 0) return;
  const session = event.session ?? (event.intent ? await deps.payments.sessionOf(event.intent) : undefined);
  if (session) await applyPayment(deps, session, event);
  else await remember(deps.db, event, null);
}
