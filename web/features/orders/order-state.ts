import type { OrderRow } from "./orders.queries.ts";

type Facts = Pick<OrderRow, "status" | "total" | "refunded">;

/** The state of an order, in one word of our texts: a part that went back makes another sentence of "paid". */
export const stateOf = ({ status, total, refunded }: Facts) =>
  status === "paid" && refunded > 0 && refunded < total ? "partly" : status;

/** Whether anything was ever paid, so that there is something to be receipted. */
export const wasPaid = ({ paid_at }: Pick<OrderRow, "paid_at">): boolean => paid_at !== null;

/** The URL where an order can still be paid, if any. */
export const payableAt = (
  { status, session_url, expires_at }: Pick<OrderRow, "status" | "session_url" | "expires_at">,
  now: Date,
): string | undefined =>
  status === "pending" && session_url !== null && new Date(expires_at) > now ? session_url : undefined;
