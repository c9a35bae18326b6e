import type { OrderRow } from "./orders.queries.ts";

type Facts = Pick<OrderRow, "status" | "total" | "refunded">;

/** An order's state as a key of its text; a partial refund has its own. */
export const stateOf = ({ status, total, refunded }: Facts) =>
  status === "paid" && refunded > 0 && refunded < total ? "partly" : status;

/** Whether the order was paid, so that there is a receipt. */
export const wasPaid = ({ paid_at }: Pick<OrderRow, "paid_at">): boolean => paid_at !== null;

/** The URL where an order can still be paid, if any. */
export const payableAt = (
  { status, session_url, expires_at }: Pick<OrderRow, "status" | "session_url" | "expires_at">,
  now: Date,
): string | undefined =>
  status === "pending" && session_url !== null && new Date(expires_at) > now ? session_url : undefined;
