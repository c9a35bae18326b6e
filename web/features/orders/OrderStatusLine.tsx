import { CircleAlert, CircleCheck, Hourglass, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { price } from "../../lib/formatting/currency.ts";
import { stateOf } from "./order-state.ts";
import type { OrderRow } from "./orders.queries.ts";

const ICONS = {
  pending: Hourglass,
  paid: CircleCheck,
  partly: Undo2,
  failed: CircleAlert,
  expired: CircleAlert,
  refunded: Undo2,
  disputed: Hourglass,
};

export function OrderStatusLine({ order }: { order: OrderRow }) {
  const { t } = useTranslation("orders");
  const state = stateOf(order);
  const Icon = ICONS[state];
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden className={state === "paid" ? "size-5 shrink-0 text-deep" : "size-5 shrink-0 text-ink-soft"} />
      {t(`status.${state}`, { amount: price(order.refunded, order.currency) })}
    </span>
  );
}
