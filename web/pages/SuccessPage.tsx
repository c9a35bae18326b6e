import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { orderQuery, PATIENCE_MS, useOrderLive } from "../features/cart/checkout.queries.ts";
import { OrderStatusPanel } from "../features/cart/OrderStatusPanel.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { supabase } from "../lib/request/supabase.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Problem } from "../ui/Problem.tsx";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** /success?order=…: return page of the payment. It shows the order's state and grants nothing. */
export default function SuccessPage() {
  const { t } = useTranslation("cart");
  const [query] = useSearchParams();
  const id = query.get("order") ?? "";
  usePageTitle(t("success.title"));
  return UUID.test(id) ? <OrderState key={id} id={id} /> : <NoOrder />;
}

function OrderState({ id }: { id: string }) {
  const { t } = useTranslation("cart");
  useOrderLive(supabase, id);
  const order = useQuery(orderQuery(supabase, id));
  const late = useLate();
  if (order.isPending) return <Loading />;
  if (order.data) return <OrderStatusPanel order={order.data} late={late} onLook={() => void order.refetch()} />;
  if (order.isLoadingError) return <Problem error={new Error(t("success.loadFailed"))} retry={order.refetch} />;
  return <NoOrder />;
}

/** Returns whether the page has waited for longer than a payment usually takes. */
function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** Renders the message without an order, e.g. for a person who opens the URL directly. */
function NoOrder() {
  const { t } = useTranslation("cart");
  return (
    <Empty picture="orders" page title={t("success.none")} text={t("success.noneText")}>
      <Button asChild>
        <Link to={paths.cart()}>{t("success.toCart")}</Link>
      </Button>
    </Empty>
  );
}
