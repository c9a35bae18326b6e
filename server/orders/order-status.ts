import type { PaymentFacts } from "../gateways/payments.ts";

export const STATUSES = ["pending", "paid", "failed", "expired", "refunded", "disputed"] as const;
export type OrderStatus = (typeof STATUSES)[number];

/** The allowed transitions, as in the database's `private.may_follow`: a received payment is never forgotten. */
export const MAY_FOLLOW: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ["paid", "failed", "expired", "refunded", "disputed"],
  failed: ["paid", "expired", "refunded", "disputed"],
  expired: ["paid", "refunded", "disputed"],
  paid: ["refunded", "disputed"],
  disputed: ["paid", "refunded"],
  refunded: ["paid", "disputed"],
};

type Said = Pick<PaymentFacts, "state" | "payment" | "total" | "refunded" | "dispute" | "takenBack">;

/** The refunded or lost amount, in pence or cents. */
export const goneOf = ({ total, refunded, takenBack }: Pick<Said, "total" | "refunded" | "takenBack">): number =>
  Math.min(total, refunded + takenBack);

/** An order's state by the provider's current answer, regardless of earlier events and their order. */
export function statusBy(said: Said): OrderStatus {
  if (said.payment === "paid") {
    // This also holds for a later dispute, because no money is left to dispute.
    if (said.total > 0 && goneOf(said) === said.total) return "refunded";
    return said.dispute === "open" ? "disputed" : "paid";
  }
  if (said.payment === "refused") return "failed";
  if (said.payment === "waiting") return "pending";
  return said.state === "expired" ? "expired" : "pending";
}

/** The next state: the provider's, unless it cannot follow the current one. */
export function nextStatus(current: OrderStatus, said: Said): OrderStatus {
  const next = statusBy(said);
  return MAY_FOLLOW[current].includes(next) ? next : current;
}
