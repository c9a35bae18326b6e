import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { price } from "../../../lib/formatting/currency.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type DeskOrder, useResendReceipt } from "./orders.queries.ts";
import { RefundOrder } from "./RefundOrder.tsx";

/** The state of an order, whose it is, and its cards. */
export function OrderFacts({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const { role } = useUser();
  const { email, user_id, status, refunded, currency, voucher_code, affiliate_code, payment_intent, metal_cards } =
    order;
  const partly = status === "paid" && refunded > 0;
  return (
    <dl className="m-0 grid gap-x-6 gap-y-3 rounded-3xl bg-wash p-5 sm:grid-cols-[auto_1fr] sm:p-7">
      <Fact name={t("status")}>
        {t(partly ? "statuses.partly" : `statuses.${status}`)}
        {refunded > 0 && ` · ${t("refunded", { amount: price(refunded, currency) })}`}
      </Fact>
      <Fact name={t("buyer")}>
        {user_id && role !== "fulfilment" ? (
          <Link to={paths.admin("people", user_id)}>{email || user_id}</Link>
        ) : (
          email || t("gone")
        )}
      </Fact>
      {voucher_code && <Fact name={t("voucher")}>{voucher_code}</Fact>}
      {affiliate_code && <Fact name={t("affiliate")}>{affiliate_code}</Fact>}
      {payment_intent && <Fact name={t("payment")}>{payment_intent}</Fact>}
      {metal_cards.length > 0 && (
        <Fact name={t("cards")}>
          <ul className="m-0 grid list-none gap-1 p-0">
            {metal_cards.map(({ id, code, name, making }) => (
              <li key={id}>
                <Link to={`${paths.admin("cards")}?find=${code}`} className="font-mono">
                  {code}
                </Link>{" "}
                {name} · {t(`making.${making}`)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="m-0 wrap-anywhere">{children}</dd>
  </div>
);

/** What can be done with an order, by those who may. */
export function OrderActions({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const { role } = useUser();
  const receipt = useResendReceipt(order.id);
  const resend = () =>
    receipt.isPending ||
    receipt.mutate(undefined, {
      onSuccess: () => toast({ tone: "success", title: t("receiptSent", { email: order.email }) }),
      onError: ({ message }) => toast({ tone: "problem", title: message }),
    });
  return (
    <>
      {order.paid_at && (role === "admin" || role === "support") && (
        <Button variant="quiet" aria-busy={receipt.isPending} onClick={resend}>
          {t("resend")}
        </Button>
      )}
      {role === "admin" && <RefundOrder order={order} />}
    </>
  );
}
