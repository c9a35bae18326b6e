import { Receipt, ShieldCheck, TriangleAlert, Truck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import { isPayable } from "../../shared/money.ts";
import { useVoucherForm } from "../actions/voucher-form.ts";
import { useCheckoutFailure } from "../data/checkout-refusals.ts";
import { CartSummary } from "../features/cart/CartSummary.tsx";
import { useCheckout } from "../features/cart/checkout.queries.ts";
import { useLineLabels } from "../features/cart/use-line-labels.ts";
import { usePricedCart } from "../features/cart/use-priced-cart.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { price } from "../lib/formatting/currency.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { CodeForm } from "../ui/CodeForm.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** /checkout: what will be paid, line by line, and the button that opens the payment provider's page. */
export default function CheckoutPage() {
  const { t } = useTranslation("cart");
  const user = useUser();
  usePageTitle(t("checkout.title"));
  const { cart, adding, catalogue, currency, items, sold, totals, voucher, voucherCode } = usePricedCart(user.id);
  const checkout = useCheckout(supabase);
  const form = useVoucherForm();
  const failureOf = useCheckoutFailure(currency);
  const wordsOf = useLineLabels(catalogue.data?.plans ?? []);

  if (cart.isLoadingError || catalogue.isLoadingError) {
    return (
      <Problem
        error={new Error(t("loadFailed"))}
        retry={() => void Promise.all([cart.refetch(), catalogue.refetch()])}
      />
    );
  }
  if (cart.isPending || catalogue.isPending || adding) {
    return (
      <div className="page-width py-12">
        <Skeleton className="h-96 rounded-3xl" />
      </div>
    );
  }
  if (items.length === 0) return <Navigate to={paths.cart()} replace />;

  const failure = checkout.error ? failureOf(checkout.error) : undefined;
  // The total is unknown until the voucher is validated.
  const busy = checkout.isPending || checkout.isSuccess || voucher.status === "validating";
  const pay = () => !busy && checkout.mutate({ items, currency, voucherCode });
  const posted = sold.some(({ kind }) => kind === "card") || items.some(({ plan_id }) => includesCards(plan_id));
  return (
    <div className="page-width grid gap-8 py-8 sm:py-12">
      <h1 className="font-serif text-4xl sm:text-5xl">{t("checkout.title")}</h1>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12">
        <CartSummary
          totals={totals}
          currency={currency}
          voucher={voucher}
          lines={
            <ul aria-label={t("lines")} className="grid gap-3">
              {items.map((item, place) => (
                <li key={item.id}>
                  <p className="flex gap-x-4">
                    <span className="min-w-0 grow font-semibold">{nameOf(item)}</span>
                    <span className="shrink-0 tabular-nums">{price(sumAt(place), currency)}</span>
                  </p>
                  <p className="text-ink-soft wrap-anywhere">{detailsOf(item)}</p>
                </li>
              ))}
            </ul>
          }
        >
          {/* A code is entered in the cart. Here it can only be removed or corrected. */}
          {form.code && <CodeForm {...form} />}
          {failure && (
            <p role="alert" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
              <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
              <span>
                {/* The specification's messages have no full stop, so the next sentence starts on its own line. */}
                <span className="block">{failure.message}</span>
                {failure.advice && <span className="block">{failure.advice}</span>}
                {failure.paymentOpen && <span className="block">{t("checkout.nothingPaid")}</span>}
              </span>
            </p>
          )}
          <Button
            size="large"
            disabled={!isPayable(totals.total, currency)}
            aria-disabled={busy}
            aria-busy={busy}
            onClick={pay}
          >
            {checkout.isPending || checkout.isSuccess
              ? t("checkout.busy")
              : totals.total === 0
                ? t("checkout.free")
                : t("checkout.pay", { price: price(totals.total, currency) })}
          </Button>
          <Button asChild variant="plain">
            <Link to={paths.cart()}>{t("checkout.back")}</Link>
          </Button>
        </CartSummary>
        <ul className="grid gap-5 rounded-3xl bg-sunken p-6 text-ink-soft sm:p-8">
          <li className="flex gap-3">
            <ShieldCheck aria-hidden className="size-6 shrink-0 text-deep" />
            {t("checkout.safe")}
          </li>
          {posted && (
            <li className="flex gap-3">
              <Truck aria-hidden className="size-6 shrink-0 text-deep" />
              {t("checkout.delivery")}
            </li>
          )}
          <li className="flex min-w-0 gap-3">
            <Receipt aria-hidden className="size-6 shrink-0 text-deep" />
            <span className="min-w-0 wrap-anywhere">{t("checkout.receipt", { email: user.email })}</span>
          </li>
        </ul>
      </div>
    </div>
  );

  function sumAt(place: number) {
    return sold.filter(({ from }) => from === place).reduce((sum, { subtotal }) => sum + subtotal, 0);
  }
  function includesCards(planId: string | null) {
    return catalogue.data?.plans.some(({ id, included_cards }) => id === planId && included_cards > 0) === true;
  }
  function nameOf(item: (typeof items)[number]) {
    return item.plan_id === null ? t("pieces", { count: item.quantity }) : wordsOf(item).name;
  }
  function detailsOf(item: (typeof items)[number]) {
    const { details } = wordsOf(item);
    // Of a card the engraving, so that the buyer can check it before paying.
    const hasExtraCards = item.plan_id !== null && item.additional_cards > 0;
    return hasExtraCards ? `${details} · ${t("extra", { count: item.additional_cards })}` : details;
  }
}
