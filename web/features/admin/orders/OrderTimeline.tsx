import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { price } from "../../../lib/formatting/currency.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import { type DeskOrder, type OrderEvent, orderEventsQuery } from "./orders.queries.ts";

/** The events of an order, oldest first. */
export function OrderTimeline({ order }: { order: DeskOrder }) {
  const { t, i18n } = useTranslation("adminOrders");
  const events = useQuery(orderEventsQuery(supabase, order.id));
  return (
    <section aria-labelledby="order-timeline" className="grid gap-4">
      <h2 id="order-timeline" className="font-serif text-2xl">
        {t("timeline")}
      </h2>
      {events.isPending && <Skeleton className="h-48 rounded-3xl" />}
      {events.isLoadingError && <DeskProblem retry={events.refetch} />}
      {events.data && (
        <ol className="m-0 grid list-none gap-4 border-s-2 border-line p-0 ps-5">
          {timelineOf(order, events.data).map((one) => (
            <li key={`${one.at} ${one.kind} ${one.state} ${one.amount}`} className="relative grid gap-0.5">
              <span
                aria-hidden
                className="absolute -start-6.75 top-2 size-3 rounded-full border-2 border-deep bg-paper"
              />
              <What happening={one} order={order} />
              <time dateTime={one.at} className="text-sm text-ink-soft">
                {momentText(one.at, i18n.language)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function What({
  happening: { kind, count, amount, reason, state },
  order,
}: {
  happening: Happening;
  order: DeskOrder;
}) {
  const { t } = useTranslation("adminOrders");
  return (
    <>
      <span className="font-semibold">
        {t(`events.${kind}` as "events.paid", { count: count ?? 1, amount: price(amount ?? 0, order.currency) })}
        {state && <span className="font-normal text-ink-soft"> · {t(`states.${state}` as "states.sent")}</span>}
      </span>
      {reason && <span className="wrap-anywhere">{reason}</span>}
    </>
  );
}

/** An event of an order; `kind` is a key of `adminOrders:events`. */
interface Happening {
  at: string;
  kind: string;
  count?: number;
  /** The amount of a refund. */
  amount?: number;
  reason?: string;
  /** The state of an email or refund. */
  state?: string;
}

/** All events of an order, oldest first. */
function timelineOf(order: DeskOrder, events: readonly OrderEvent[]): Happening[] {
  const { created_at, paid_at, metal_cards, refunds } = order;
  const step = (column: "engraved_at" | "sent_at" | "returned_at", kind: string) => {
    const moments = metal_cards.flatMap((card) => card[column] ?? []);
    // Simultaneous events are shown as one.
    return [...new Set(moments)].map((at) => ({ at, kind, count: moments.filter((moment) => moment === at).length }));
  };
  return [
    { at: created_at, kind: "created" },
    ...(paid_at ? [{ at: paid_at, kind: "paid" }] : []),
    ...step("engraved_at", "engraved"),
    ...step("sent_at", "sent"),
    ...step("returned_at", "returned"),
    ...refunds.map(({ created_at: at, amount, reason, state }) => ({ at, kind: "refund", amount, reason, state })),
    ...events.map(({ happened_at: at, kind, state }) => ({ at, kind, ...(state === null ? {} : { state }) })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
