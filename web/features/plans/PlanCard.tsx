import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Currency } from "../../../shared/money.ts";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import { amountIn, type CataloguePlan, discounted } from "../../data/catalogue.queries.ts";
import { price, roundPrice } from "../../lib/formatting/currency.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { useVoucher } from "../../lib/session/voucher.ts";
import { PlanSky } from "../../media/PlanSky.tsx";
import { classNames } from "../../ui/class-names.ts";

interface PlanCardProps {
  plan: CataloguePlan;
  currency: Currency;
  /** Whether this is the reader's current plan. */
  yours?: boolean;
  /** The effect of buying the plan, and the buttons to buy it. */
  children: ReactNode;
}

/** Renders a plan with its limits and its price, reduced by the applied voucher. */
export function PlanCard({ plan, currency, yours = false, children }: PlanCardProps) {
  const { t, i18n } = useTranslation("pricing");
  const size = sizeText(storageLimit(plan.storage_gb), localeOf(i18n.language));
  const facts = [
    plan.max_memories === null ? t("unlimited") : t("memories", { count: plan.max_memories }),
    t("storage", { size }),
    t("qr"),
    ...(plan.included_cards > 0 ? [t("cards", { count: plan.included_cards })] : []),
  ];
  return (
    <li
      className={classNames(
        "grid content-start gap-5 rounded-3xl border p-6 shadow-soft lg:row-span-4 lg:grid-rows-subgrid",
        yours ? "border-deep bg-wash" : "border-line bg-raised",
      )}
    >
      <div className="flex flex-wrap content-start items-center justify-between gap-2">
        <PlanSky
          plan={plan.id}
          className="-mx-6 -mt-6 mb-3 h-24 w-[calc(100%+(--spacing(12)))]! max-w-none basis-[calc(100%+(--spacing(12)))] rounded-t-[1.4rem]"
        />
        <h3 className="font-serif text-2xl">{plan.name}</h3>
        {yours && (
          <p className="rounded-full bg-deep px-3 py-0.5 text-sm font-semibold text-on-deep">{t("yourPlan")}</p>
        )}
      </div>
      <PlanPrice plan={plan} currency={currency} />
      <ul className="m-0 grid list-none content-start gap-2.5 p-0">
        {facts.map((fact) => (
          <li key={fact} className="flex gap-3">
            <Check aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
            {fact}
          </li>
        ))}
      </ul>
      {/* A single button fills its row, so that the buttons side by side have the same height in every language. */}
      <div className="grid content-end gap-3 lg:has-[>:only-child]:content-stretch">{children}</div>
    </li>
  );
}

function PlanPrice({ plan, currency }: Pick<PlanCardProps, "plan" | "currency">) {
  const { t } = useTranslation("pricing");
  const voucher = useVoucher();
  const full = amountIn(currency, plan.plan_prices);
  if (full === undefined) {
    return (
      <div>
        <p className="pb-2 font-serif text-5xl">{t("free")}</p>
        <p className="text-ink-soft">{t("endless")}</p>
      </div>
    );
  }
  const now = discounted(full, voucher, plan.id);
  const years = plan.term_years ?? 1;
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3 pb-2">
        <span className="font-serif text-5xl">{roundPrice(now, currency)}</span>
        {now < full && (
          <>
            <s aria-hidden className="text-xl text-ink-soft">
              {roundPrice(full, currency)}
            </s>
            <span className="sr-only">
              {t("instead", { price: price(now, currency), before: price(full, currency) })}
            </span>
          </>
        )}
      </p>
      <p className="text-ink-soft">
        {t("years", { count: years })}
        {years > 1 && `, ${t("perYear", { price: price(Math.round(now / years), currency) })}`}
      </p>
    </div>
  );
}
