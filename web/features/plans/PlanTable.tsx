import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Currency } from "../../../shared/money.ts";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import { amountIn, type CataloguePlan } from "../../data/catalogue.queries.ts";
import { roundPrice } from "../../lib/formatting/currency.ts";
import { localeOf } from "../../lib/formatting/locale.ts";

/** Renders a table of all plans. On narrow screens it scrolls horizontally and its first column stays in place. */
export function PlanTable({ plans, currency }: { plans: readonly CataloguePlan[]; currency: Currency }) {
  const { t, i18n } = useTranslation("pricing");
  const locale = localeOf(i18n.language);
  const lines: [name: string, of: (plan: CataloguePlan) => ReactNode][] = [
    [
      t("compare.price"),
      ({ plan_prices }) => {
        const amount = amountIn(currency, plan_prices);
        return amount === undefined ? t("free") : roundPrice(amount, currency);
      },
    ],
    [
      t("compare.term"),
      ({ term_years }) => (term_years === null ? t("compare.noExpiry") : t("compare.years", { count: term_years })),
    ],
    [t("compare.memories"), ({ max_memories }) => max_memories ?? t("compare.unlimited")],
    [t("compare.storage"), ({ storage_gb }) => sizeText(storageLimit(storage_gb), locale)],
    [t("compare.cards"), ({ included_cards }) => (included_cards > 0 ? included_cards : t("compare.none"))],
    [t("compare.sharing"), () => t("compare.sharingAll")],
    [t("compare.originals"), () => t("compare.yes")],
  ];
  return (
    <div className="grid gap-8">
      <h2 id="compare" className="text-center font-serif text-3xl sm:text-4xl">
        {t("compare.title")}
      </h2>
      <section
        aria-labelledby="compare"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer moves it by the keyboard.
        tabIndex={0}
        className="scroll-shade overflow-x-auto rounded-3xl border border-line bg-raised"
      >
        <table className="w-full min-w-180 border-collapse">
          <thead>
            <tr>
              <th scope="col" className="sticky start-0 bg-raised p-4 text-start sm:px-6">
                <span className="sr-only">{t("compare.plan")}</span>
              </th>
              {plans.map(({ id, name }) => (
                <th key={id} scope="col" className="p-4 text-start font-serif text-lg font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(([name, of]) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="sticky start-0 bg-raised p-4 text-start font-normal text-ink-soft sm:px-6">
                  {name}
                </th>
                {plans.map((plan) => (
                  <td key={plan.id} className="p-4">
                    {of(plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
