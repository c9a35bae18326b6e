import type { DeskOrder, OrderEvent } from "./orders.queries.ts";

/** Something that happened with an order; `kind` is a key of `adminOrders:events`. */
export interface Happening {
  at: string;
  kind: string;
  count?: number;
  /** Of a refund that was asked for here. */
  amount?: number;
  reason?: string;
  /** How far an email or refund is. */
  state?: string;
}

/** All that happened with an order, the first first. */
export function timelineOf(order: DeskOrder, events: readonly OrderEvent[]): Happening[] {
  const { created_at, paid_at, metal_cards, refunds } = order;
  const made = (column: "engraved_at" | "sent_at" | "returned_at", kind: string) => {
    const moments = metal_cards.flatMap((card) => card[column] ?? []);
    // Those that were done together are one.
    return [...new Set(moments)].map((at) => ({ at, kind, count: moments.filter((moment) => moment === at).length }));
  };
  return [
    { at: created_at, kind: "created" },
    ...(paid_at ? [{ at: paid_at, kind: "paid" }] : []),
    ...made("engraved_at", "engraved"),
    ...made("sent_at", "sent"),
    ...made("returned_at", "returned"),
    ...refunds.map(({ created_at: at, amount, reason, state }) => ({ at, kind: "refund", amount, reason, state })),
    ...events.map(({ happened_at: at, kind, state }) => ({ at, kind, ...(state === null ? {} : { state }) })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
