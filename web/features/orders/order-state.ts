import type { OrderRow } from "./orders.queries.ts";

type Facts = Pick<OrderRow, "status" | "total" | "refunded">;

/** Returns the text key of an order's state. A partial refund has a separate key. */
export const stateOf = ({ status, total, refunded }: Facts) =>
  status === "paid" && refunded > 0 && refunded < total ? "partly" : status;

/** Returns whether the order was paid and so has a receipt. */
export const wasPaid = ({ paid_at }: Pick<OrderRow, "paid_at">): boolean => paid_at !== null;

/** Returns the URL of the payment page, or undefined if the order cannot be paid any more. */
export const payableAt = (
  { status, session_url, expires_at }: Pick<OrderRow, "status" | "session_url" | "expires_at">,
  now: Date,
): string | undefined =>
  status === "pending" && session_url !== null && new Date(expires_at) > now ? session_url : undefined;
