import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { OrderStatusLine } from "../features/orders/OrderStatusLine.tsx";
import { type OrderRow, ordersQuery, useOrdersLive } from "../features/orders/orders.queries.ts";
import { useLineLabels } from "../features/orders/use-line-labels.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { price } from "../lib/formatting/currency.ts";
import { dateText, localeOf } from "../lib/formatting/locale.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { FAR_ROW } from "../ui/far-row.ts";
import { LoadMore } from "../ui/LoadMore.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Unbroken } from "../ui/Unbroken.tsx";

/** /orders: the person's orders, newest first. */
export default function OrdersPage() {
  const { t } = useTranslation("orders");
  const { id } = useUser();
  const orders = useInfiniteQuery(ordersQuery(supabase, id));
  useOrdersLive(supabase, id);
  usePageTitle(t("title"));
  return (
    <div className="page-column grid gap-8 pt-8 pb-20 sm:pt-12">
      <div className="grid gap-2">
        <h1 className="font-serif text-4xl leading-tight sm:text-5xl">{t("title")}</h1>
        <p className="text-lg text-ink-soft">{t("lead")}</p>
      </div>
      {orders.isPending && (
        <div className="grid gap-4">
          <Skeleton className="h-36 rounded-3xl" />
          <Skeleton className="h-36 rounded-3xl" />
        </div>
      )}
      {orders.isLoadingError && <Problem error={new Error(t("failed"))} retry={orders.refetch} />}
      {orders.data?.length === 0 && <NoOrders />}
      {orders.data && orders.data.length > 0 && (
        <ul className="m-0 grid list-none gap-4 p-0">
          {orders.data.map((order) => (
            <OrderCard key={order.id} order={order} />
          ))}
        </ul>
      )}
      <LoadMore pages={orders} />
    </div>
  );
}

function NoOrders() {
  const { t } = useTranslation("orders");
  return (
    <Empty picture="orders" title={t("empty")} text={t("emptyText")}>
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to={paths.pricing()}>{t("seePlans")}</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to={paths.shop()}>{t("seeCards")}</Link>
        </Button>
      </div>
    </Empty>
  );
}

const OrderCard = memo(function OrderCard({ order }: { order: OrderRow }) {
  const { t, i18n } = useTranslation("orders");
  const wordsOf = useLineLabels();
  const { id, number, created_at, total, currency, order_items: lines } = order;
  return (
    <li className={FAR_ROW}>
      <Link
        to={paths.order(id)}
        className="grid gap-3 rounded-3xl border border-line bg-raised p-5 text-ink no-underline transition-colors duration-200 ease-out hover:border-deep sm:p-7"
      >
        <span className="flex flex-wrap justify-between gap-x-6 text-sm text-ink-soft">
          <span>
            <Unbroken text={t("order", { number })} part={number} />
          </span>
          <span>{dateText(created_at, localeOf(i18n.language))}</span>
        </span>
        <span className="flex items-center gap-3">
          <span className="grid grow gap-1 font-serif text-xl">
            {lines.map((line) => (
              <span key={line.id}>{wordsOf(line).name}</span>
            ))}
          </span>
          <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line pt-3">
          <OrderStatusLine order={order} />
          <span className="ms-auto text-lg font-semibold tabular-nums">{price(total, currency)}</span>
        </span>
      </Link>
    </li>
  );
});
