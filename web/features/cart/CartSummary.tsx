import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Currency } from "../../../shared/money.ts";
import { price } from "../../lib/currency.ts";
import { classNames } from "../../ui/class-names.ts";
import type { CartTotals } from "./use-priced-cart.ts";

interface CartSummaryProps {
  totals: CartTotals;
  currency: Currency;
  children: ReactNode;
}

/** What a cart costs, step by step, and how to go on. */
export function CartSummary({ totals: { subtotal, forMany, voucher, total }, currency, children }: CartSummaryProps) {
  const { t } = useTranslation("cart");
  return (
    <section
      aria-labelledby="cart-summary"
      className="grid content-start gap-6 rounded-3xl border border-line bg-raised p-6 sm:p-8 lg:sticky lg:top-24"
    >
      <h2 id="cart-summary" className="font-serif text-2xl">
        {t("summary")}
      </h2>
      <dl className="grid gap-2">
        <Row name={t("subtotal")} amount={price(subtotal, currency)} />
        {forMany > 0 && <Row name={t("forMany")} amount={`−${price(forMany, currency)}`} />}
        {voucher > 0 && <Row name={t("voucher")} amount={`−${price(voucher, currency)}`} />}
        <Row
          name={t("total")}
          amount={price(total, currency)}
          className="mt-2 border-t border-line pt-4 text-xl font-semibold"
        />
      </dl>
      <p role="status" className="sr-only">
        {`${t("total")}: ${price(total, currency)}`}
      </p>
      {children}
    </section>
  );
}

const Row = ({ name, amount, className }: { name: string; amount: string; className?: string }) => (
  <div className={classNames("flex items-baseline justify-between gap-4", className)}>
    <dt>{name}</dt>
    <dd className="tabular-nums">{amount}</dd>
  </div>
);
