import { randomUUID } from "node:crypto";
import type { Database } from "../../server/database/database.ts";

interface OrderOf {
  user: { id: string; email: string };
  /** The plans with their prices in pence, by default £1. */
  plans?: { plan: string; amount: number; terms?: object }[];
  voucher?: string;
  currency?: "GBP" | "EUR";
}

/** An unpaid order, as checkout leaves it; resolves to its id. */
export async function makeOrder(db: Pick<Database, "query">, { user, plans = [], voucher, currency = "GBP" }: OrderOf) {
  const id = randomUUID();
  const total = plans.reduce((sum, { amount }) => sum + amount, 0);
  await db.query(
    `insert into orders (id, user_id, email, currency, subtotal, total, voucher_code) values ($1, $2, $3, $4, $5, $5, $6)`,
    [id, user.id, user.email, currency, total, voucher ?? null],
  );
  for (const { plan, amount, terms = {} } of plans) {
    await db.query(
      `insert into order_items (order_id, kind, plan_id, quantity, unit_amount, total, terms)
       values ($1, 'plan', $2, 1, $3, $3, $4)`,
      [id, plan, amount, terms],
    );
  }
  return id;
}

/** Applies the provider's state of an order's payment, like the webhook; `at` is the time of payment. */
export const settle = (
  db: Pick<Database, "query">,
  id: string,
  status: "paid" | "failed" | "expired" | "refunded" | "disputed",
  { at, refunded }: { at?: Date; refunded?: number } = {},
) =>
  db.query(
    `update orders set status = $2, paid_at = coalesce(paid_at, $3),
       refunded = coalesce($4, case when $2 = 'refunded' then total else refunded end) where id = $1`,
    [id, status, at ?? null, refunded ?? null],
  );
