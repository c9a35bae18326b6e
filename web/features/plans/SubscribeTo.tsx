import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Currency } from "../../../shared/money.ts";
import { useAddToCart } from "../../actions/add-to-cart.ts";
import { amountIn, type CataloguePlan } from "../../data/catalogue.queries.ts";
import { useCheckoutFailure } from "../../data/checkout-refusals.ts";
import type { HeldPlan } from "../../data/held-plans.queries.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { price } from "../../lib/formatting/currency.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useVoucher } from "../../lib/session/voucher.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { type PlanChange, planChange } from "./plan-change.ts";
import { createSubscription } from "./subscribe.queries.ts";

interface SubscribeToProps {
  plan: CataloguePlan;
  /** All plans, to compare their sizes. */
  all: readonly CataloguePlan[];
  currency: Currency;
  ownPlans: readonly HeldPlan[];
}

/** Renders the effect of buying a plan now, with buttons to pay immediately or add the plan to the cart. */
export function SubscribeTo({ plan, all, currency, ownPlans }: SubscribeToProps) {
  const { t } = useTranslation(["pricing", "cart"]);
  const navigate = useNavigate();
  const { code, status, covers } = useVoucher();
  const failureOf = useCheckoutFailure(currency);
  const toCart = useAddToCart();
  const wishes = [{ plan_id: plan.id, currency }];
  const pay = useMutation({
    mutationFn: () => createSubscription(supabase, wishes, covers(plan.id) && code ? code : undefined),
    onSuccess: (address) => location.assign(address),
  });
  const positions = Object.fromEntries(all.map(({ id, position }) => [id, position]));
  const offer = {
    id: plan.id,
    position: plan.position,
    term_years: plan.term_years ?? 1,
    amount: amountIn(currency, plan.plan_prices) ?? 0,
  };
  const change = planChange(ownPlans, positions, offer, useMinute());
  // A successful `pay` redirects the browser, so the button stays busy.
  const leaving = pay.isPending || pay.isSuccess || toCart.isPending;
  // The price is unknown until the voucher is validated.
  const busy = leaving || status === "validating";
  const failure = pay.error ? failureOf(pay.error) : undefined;
  return (
    <>
      <PlanChangeSummary change={change} currency={currency} />
      {failure && (
        <p role="alert" className="text-sm font-semibold text-danger-text">
          {/* The specification's messages have no full stop, so the next sentence starts on its own line. */}
          <span className="block">{failure.message}</span>
          {failure.advice && <span className="block">{failure.advice}</span>}
          {failure.paymentOpen && <span className="block">{t("cart:checkout.nothingPaid")}</span>}
        </p>
      )}
      {toCart.isError && (
        <p role="alert" className="text-sm font-semibold text-danger-text">
          {t("notAdded")}
        </p>
      )}
      <Button aria-disabled={busy} aria-busy={busy} onClick={() => !busy && pay.mutate()}>
        {leaving ? t("subscribe.busy") : t(`subscribe.${change.kind}`, { plan: plan.name })}
      </Button>
      <Button
        variant="plain"
        size="small"
        aria-disabled={busy}
        onClick={() => !busy && toCart.mutate(wishes, { onSuccess: (added) => added && navigate(paths.cart()) })}
      >
        {t("subscribe.toCart")}
      </Button>
    </>
  );
}

function PlanChangeSummary({ change, currency }: { change: PlanChange; currency: Currency }) {
  const { t, i18n } = useTranslation("pricing");
  const on = (moment: Date) => dateText(moment.toISOString(), localeOf(i18n.language));
  const { kind, startsAt, expiresAt, credit, extraDays } = change;
  if (kind === "down") return <p className="text-ink-soft">{t("subscribe.downText", { date: on(startsAt) })}</p>;
  if (kind === "renew") return <p className="text-ink-soft">{t("subscribe.renewText", { date: on(expiresAt) })}</p>;
  if (credit === 0) return <p className="text-ink-soft">{t("subscribe.newText", { date: on(expiresAt) })}</p>;
  const days = t("subscribe.days", { count: extraDays });
  return (
    <p className="text-ink-soft">
      {t("subscribe.upText", { credit: price(credit, currency), date: on(expiresAt), days })}
    </p>
  );
}
