import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Currency, isPayable, LEAST_PAYMENT } from "../../../shared/money.ts";
import { price } from "../../lib/formatting/currency.ts";
import type { Voucher } from "../../lib/session/voucher.ts";
import { classNames } from "../../ui/class-names.ts";
import type { CartTotals } from "./use-priced-cart.ts";

interface CartSummaryProps {
  totals: CartTotals;
  currency: Currency;
  voucher: Pick<Voucher, "status" | "code">;
  /** A list of the items, for pages that do not list them elsewhere. */
  lines?: ReactNode;
  children: ReactNode;
}

/** The cart's total with its parts, and the checkout button. */
export function CartSummary({ totals, currency, voucher, lines, children }: CartSummaryProps) {
  const { t } = useTranslation("cart");
  const { subtotal, forMany, voucher: off, total } = totals;
  const note = useNote(totals, currency, voucher);
  return (
    <section
      aria-labelledby="cart-summary"
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-6 rounded-3xl border border-line bg-raised p-6 sm:p-8 lg:sticky lg:top-24"
    >
      <h2 id="cart-summary" className="font-serif text-2xl">
        {t("summary")}
      </h2>
      {lines}
      <dl className="grid gap-2">
        {/* Without a discount the subtotal equals the total. */}
        {total < subtotal && <Row name={t("subtotal")} amount={price(subtotal, currency)} />}
        {forMany > 0 && <Row name={t("forMany")} amount={price(-forMany, currency)} />}
        {off > 0 && <Row name={t("voucher", { code: voucher.code?.toUpperCase() })} amount={price(-off, currency)} />}
        <Row
          name={t("total")}
          amount={price(total, currency)}
          className="mt-2 border-t border-line pt-4 text-xl font-semibold"
        />
      </dl>
      <p role="status" className="sr-only">
        {`${t("total")}: ${price(total, currency)} ${note}`}
      </p>
      {note && (
        <p className="flex gap-3 rounded-xl bg-sunken px-4 py-3">
          <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
          {note}
        </p>
      )}
      {children}
    </section>
  );
}

/** Returns a note about an unused voucher or about a total that is too small to pay; empty if there is none. */
function useNote({ subtotal, voucher: off, total }: CartTotals, currency: Currency, voucher: Pick<Voucher, "status">) {
  const { t } = useTranslation("cart");
  if (!isPayable(total, currency)) {
    return t("refusal.total_too_small", { least: price(LEAST_PAYMENT[currency], currency) });
  }
  return voucher.status === "valid" && off === 0 && subtotal > 0 ? t("voucherKept") : "";
}

const Row = ({ name, amount, className }: { name: string; amount: string; className?: string }) => (
  <div className={classNames("flex items-baseline justify-between gap-4", className)}>
    <dt className="min-w-0 wrap-anywhere">{name}</dt>
    <dd className="shrink-0 tabular-nums">{amount}</dd>
  </div>
);
