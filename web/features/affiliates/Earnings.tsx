import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { commissionOf } from "../../../shared/commission.ts";
import { amountIn, catalogueQuery } from "../../data/catalogue.queries.ts";
import { currencyFor, roundPrice } from "../../lib/formatting/currency.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** The commission per plan at current prices; hidden if the prices cannot be loaded. */
export function Earnings() {
  const { t, i18n } = useTranslation("affiliates");
  const currency = currencyFor(i18n.language);
  const { data, isError } = useQuery(catalogueQuery);
  if (isError) return <div className="h-8" />;
  const sold = (data?.plans ?? []).flatMap(({ id, name, plan_prices }) => {
    const amount = amountIn(currency, plan_prices);
    return amount ? [{ id, name, amount }] : [];
  });
  return (
    <section
      aria-labelledby="affiliate-earnings"
      className="grid gap-6 rounded-3xl border border-line bg-raised p-6 shadow-soft sm:p-10"
    >
      <div className="grid gap-1">
        <h2 id="affiliate-earnings" className="font-serif text-2xl sm:text-3xl">
          {t("example.title")}
        </h2>
        <p className="text-ink-soft">{t("example.text")}</p>
      </div>
      <ul className="m-0 grid min-h-36 list-none gap-6 p-0 sm:grid-cols-3">
        {data
          ? sold.map(({ id, name, amount }) => (
              <li key={id} className="grid content-start gap-1 border-t border-line pt-4">
                <span className="font-semibold">{name}</span>
                <span className="text-sm text-ink-soft">
                  {t("example.sold", { price: roundPrice(amount, currency) })}
                </span>
                <span className="mt-2 text-sm text-ink-soft">{t("example.earned")}</span>
                <span className="font-serif text-4xl text-deep tabular-nums">
                  {roundPrice(commissionOf({ total: amount }), currency)}
                </span>
              </li>
            ))
          : ["1", "2", "3"].map((place) => (
              <li key={place}>
                <Skeleton className="h-36" />
              </li>
            ))}
      </ul>
    </section>
  );
}
