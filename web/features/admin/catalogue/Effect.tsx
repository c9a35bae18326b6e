import { useTranslation } from "react-i18next";
import { CURRENCIES, type Currency } from "../../../../shared/money.ts";
import { amountIn, type Catalogue, discounted } from "../../../data/catalogue.queries.ts";
import { price } from "../../../lib/formatting/currency.ts";
import type { VoucherFields } from "./catalogue.queries.ts";

type Discount = Pick<VoucherFields, "percentage" | "plan_ids" | "applies_to_cards">;

interface EffectProps {
  before: Catalogue;
  /** As it would be saved. */
  after?: Catalogue;
  /** What is taken off after. */
  voucher?: Discount | undefined;
}

/** What everything costs before and after, in both currencies. */
export function Effect({ before, after = before, voucher }: EffectProps) {
  const { t } = useTranslation("adminCatalogue");
  const covers = (planId: string | null) =>
    planId === null ? voucher?.applies_to_cards === true : voucher?.plan_ids?.includes(planId) !== false;
  const taken = { percentage: voucher?.percentage ?? 0, covers };
  const lines = [
    ...after.plans.map(({ id, name, plan_prices }) => ({
      id,
      name,
      old: before.plans.find((plan) => plan.id === id)?.plan_prices ?? [],
      now: plan_prices,
      planId: id as string | null,
    })),
    {
      ...{ id: "card", name: t("card"), planId: null },
      ...{ old: before.card?.product_prices ?? [], now: after.card?.product_prices ?? [] },
    },
  ].filter(({ old, now }) => old.length + now.length > 0);
  const cell = (currency: Currency, { old, now, planId }: (typeof lines)[number]) => {
    const was = amountIn(currency, old);
    const full = amountIn(currency, now);
    const is = full === undefined ? undefined : discounted(full, taken, planId);
    if (was === is) return was === undefined ? "–" : price(was, currency);
    return (
      <>
        <s className="text-ink-soft">{was === undefined ? t("notSold") : price(was, currency)}</s>{" "}
        <span className="sr-only">{t("becomes")} </span>
        <strong>{is === undefined ? t("notSold") : price(is, currency)}</strong>
      </>
    );
  };
  return (
    <section className="grid gap-2">
      <table className="w-full border-collapse text-start">
        <caption className="pb-2 text-start font-semibold">{t("effect")}</caption>
        <thead>
          <tr className="border-b border-edge/50 text-sm text-ink-soft">
            <th scope="col" className="py-2 text-start font-normal">
              {t("item")}
            </th>
            {CURRENCIES.map((currency) => (
              <th key={currency} scope="col" className="py-2 text-end font-normal">
                {currency}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id} className="border-b border-line">
              <th scope="row" className="py-2 text-start font-normal">
                {line.name}
              </th>
              {CURRENCIES.map((currency) => (
                <td key={currency} className="py-2 ps-3 text-end tabular-nums">
                  {cell(currency, line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-ink-soft">{t("keeps")}</p>
    </section>
  );
}
