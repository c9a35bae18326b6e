import { CircleAlert, CircleCheck, Hourglass, Undo2 } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { track } from "../../lib/browser/analytics.ts";
import { price } from "../../lib/formatting/currency.ts";
import { MetalCard } from "../../media/card-face/MetalCard.tsx";
import { engravingOf, ItemPicture } from "../../media/ItemPicture.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Unbroken } from "../../ui/Unbroken.tsx";
import type { OwnOrder } from "./checkout.queries.ts";

interface OrderStatusPanelProps {
  order: OwnOrder;
  /** Whether its payment takes longer than usual. */
  late: boolean;
  onLook: () => void;
}

const ICONS = {
  pending: Hourglass,
  paid: CircleCheck,
  failed: CircleAlert,
  expired: CircleAlert,
  refunded: Undo2,
  disputed: Hourglass,
};

/** The state of an order, with an explanation and the next steps. */
export function OrderStatusPanel({ order, late, onLook }: OrderStatusPanelProps) {
  const { t } = useTranslation("cart");
  const { id, status, number, total, currency, email, order_items: lines } = order;
  useEffect(() => {
    if (status === "paid") track({ name: "purchase", order: id, value: total, currency });
  }, [status, id, total, currency]);
  const Icon = ICONS[status];
  const state = status === "pending" && late ? "late" : status;
  const cards = lines.some(({ kind, terms }) => kind === "card" || (terms.included_cards ?? 0) > 0);
  // The card to be engraved, if its text is known already.
  const engraved = lines.map(({ details }) => engravingOf(details)).find(({ name }) => name !== "");
  return (
    <div className="mx-auto grid w-full max-w-2xl grid-cols-[minmax(0,1fr)] justify-items-center gap-8 px-4 py-12 sm:py-16">
      <div role="status" className="grid justify-items-center gap-5 text-center">
        <Icon
          aria-hidden
          className={status === "paid" ? "size-16 text-deep" : "size-16 text-ink-soft"}
          strokeWidth={1.25}
        />
        <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{t(`success.${state}.title`)}</h1>
        <p className="text-lg text-ink-soft wrap-anywhere">{t(`success.${state}.text`, { email })}</p>
      </div>
      <section
        aria-label={t("success.order", { number })}
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-4 rounded-3xl border border-line bg-raised p-6 sm:p-8"
      >
        <p className="text-ink-soft">
          <Unbroken text={t("success.order", { number })} part={number} />
        </p>
        {engraved && (
          <div className="card-stage grid place-items-center rounded-2xl py-8">
            <MetalCard engraving={engraved} link={location.origin} turns className="w-44" />
          </div>
        )}
        <ul className="grid gap-4">
          {lines.map(({ id, kind, plan_id, quantity, terms, details }) => (
            <li key={id} className="flex items-center gap-4 font-serif text-xl sm:gap-6">
              <ItemPicture plan={plan_id} details={details} />
              {kind === "plan" ? terms.name : t("pieces", { count: quantity })}
            </li>
          ))}
        </ul>
        <p className="flex justify-between border-t border-line pt-4 text-lg font-semibold">
          <span>{t("total")}</span>
          <span className="tabular-nums">{price(total, currency)}</span>
        </p>
      </section>
      {status === "paid" && cards && <p className="text-center text-ink-soft">{t("success.cards")}</p>}
      <div className="flex flex-wrap justify-center gap-3">
        {status === "paid" && (
          <Button asChild>
            {cards ? (
              <Link to={paths.cards()}>{t("success.toCards")}</Link>
            ) : (
              <Link to={paths.newMemory()}>{t("success.create")}</Link>
            )}
          </Button>
        )}
        {state === "late" && <Button onClick={onLook}>{t("success.look")}</Button>}
        {(status === "failed" || status === "expired") && (
          <Button asChild>
            <Link to={paths.cart()}>{t("success.toCart")}</Link>
          </Button>
        )}
        <Button asChild variant="quiet">
          <Link to={paths.orders()}>{t("success.orders")}</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to={paths.start()}>{t("success.home")}</Link>
        </Button>
      </div>
    </div>
  );
}
