import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { DeskProblem } from "../../features/admin/DeskTable.tsx";
import { OrderActions, OrderFacts } from "../../features/admin/orders/OrderFacts.tsx";
import { OrderTimeline } from "../../features/admin/orders/OrderTimeline.tsx";
import { deskOrderQuery, useDeskOrderLive } from "../../features/admin/orders/orders.queries.ts";
import { OrderLines } from "../../features/orders/OrderLines.tsx";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/orders/{id}: one order and its history. */
export default function OrderPage() {
  const { t } = useTranslation("adminOrders");
  const { id = "" } = useParams();
  return (
    <Desk title={t("one")}>
      <Order id={id} />
    </Desk>
  );
}

function Order({ id }: { id: string }) {
  const { t } = useTranslation("adminOrders");
  const order = useQuery(deskOrderQuery(supabase, id));
  useDeskOrderLive(supabase, id);
  if (order.isPending) return <Skeleton className="h-96 rounded-3xl" />;
  if (order.isLoadingError) return <DeskProblem retry={order.refetch} />;
  if (!order.data) {
    return (
      <Empty picture="orders" title={t("missing")} text={t("missingText")}>
        <Button asChild>
          <Link to={paths.admin("orders")}>{t("title")}</Link>
        </Button>
      </Empty>
    );
  }
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-serif text-2xl tabular-nums">{order.data.number}</h2>
        <div className="flex flex-wrap gap-2">
          <OrderActions order={order.data} />
        </div>
      </div>
      <OrderFacts order={order.data} />
      <div className="grid items-start gap-6 xl:grid-cols-[3fr_2fr]">
        <OrderLines order={order.data} />
        <OrderTimeline order={order.data} />
      </div>
    </div>
  );
}
