import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { OrderDelivery } from "../features/orders/OrderDelivery.tsx";
import { OrderLines } from "../features/orders/OrderLines.tsx";
import { OrderStatusLine } from "../features/orders/OrderStatusLine.tsx";
import { payableAt, stateOf, wasPaid } from "../features/orders/order-state.ts";
import { type OrderRow, orderQuery, useOrdersLive } from "../features/orders/orders.queries.ts";
import { ReceiptButtons } from "../features/orders/ReceiptButtons.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useMinute } from "../lib/browser/use-minute.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { dateText, localeOf } from "../lib/formatting/locale.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Unbroken } from "../ui/Unbroken.tsx";

/** /orders/{id}: one order with its amounts, cards and receipt. */
export default function OrderPage() {
  const { t } = useTranslation("orders");
  const orderId = useRowId("orderId");
  const user = useUser();
  const order = useQuery(orderQuery(supabase, user.id, orderId));
  useOrdersLive(supabase, user.id);
  usePageTitle(t("title"));
  if (order.isPending) {
    return (
      <div className="page-column pt-8 pb-20 sm:pt-12">
        <Skeleton className="h-96 rounded-3xl" />
      </div>
    );
  }
  if (order.isLoadingError) return <Problem error={new Error(t("failed"))} retry={order.refetch} />;
  return order.data ? <OrderDetails order={order.data} /> : <MissingOrder />;
}

function MissingOrder() {
  const { t } = useTranslation("orders");
  return (
    <Empty picture="signpost" page title={t("missing")} text={t("missingText")}>
      <Button asChild>
        <Link to={paths.orders()}>{t("all")}</Link>
      </Button>
    </Empty>
  );
}

function OrderDetails({ order }: { order: OrderRow }) {
  const { t, i18n } = useTranslation("orders");
  const { number, created_at } = order;
  const state = stateOf(order);
  const hasCards = order.order_items.some(({ kind, terms }) => kind === "card" || (terms.included_cards ?? 0) > 0);
  return (
    <div className="page-column grid gap-6 pt-8 pb-20 sm:pt-12">
      <Link to={paths.orders()} className="inline-flex min-h-11 items-center gap-2 justify-self-start print:hidden">
        <ArrowLeft aria-hidden className="size-5" />
        {t("all")}
      </Link>
      <div className="grid gap-2">
        <h1 className="font-serif text-3xl leading-tight sm:text-4xl">
          <Unbroken text={t("order", { number })} part={number} />
        </h1>
        <p className="text-ink-soft">{dateText(created_at, localeOf(i18n.language))}</p>
      </div>
      <div role="status" className="grid gap-3 rounded-3xl bg-wash p-5 sm:p-7">
        <p className="text-lg font-semibold">
          <OrderStatusLine order={order} />
        </p>
        {state !== "paid" && <p>{t(`about.${state}`)}</p>}
        <NextStep order={order} />
      </div>
      <OrderLines order={order} />
      {wasPaid(order) && <ReceiptButtons order={order} />}
      {wasPaid(order) && hasCards && <OrderDelivery orderId={order.id} />}
    </div>
  );
}

/** Renders the buyer's options for an unpaid order. */
function NextStep({ order }: { order: OrderRow }) {
  const { t } = useTranslation("orders");
  const pay = payableAt(order, useMinute());
  if (pay) {
    return (
      <Button asChild className="justify-self-start">
        <a href={pay}>{t("pay")}</a>
      </Button>
    );
  }
  if (order.status !== "failed" && order.status !== "expired") return null;
  return (
    <Button asChild variant="quiet" className="justify-self-start">
      <Link to={paths.cart()}>{t("toCart")}</Link>
    </Button>
  );
}
