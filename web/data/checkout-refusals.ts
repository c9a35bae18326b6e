import { useTranslation } from "react-i18next";
import { type Currency, LEAST_PAYMENT } from "../../shared/money.ts";
import { price } from "../lib/formatting/currency.ts";

/** The server's error codes; each has a text for people. */
const REFUSALS = [
  "cart_empty",
  "not_for_sale",
  "currencies",
  "payment_under_way",
  "payments_unreachable",
  "total_too_small",
  "voucher_unknown",
  "voucher_over",
  "voucher_used_up",
  "voucher_used",
  "voucher_plans",
] as const;

/** The server refused a checkout: `code` is for the program. */
export class CheckoutRefusal extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Says to a person why the server refused a checkout; undefined where it gave no reason that we know. */
export function useRefusalText(currency: Currency) {
  const { t } = useTranslation("cart");
  return (error: Error | null): string | undefined => {
    const known = error instanceof CheckoutRefusal ? REFUSALS.find((code) => code === error.code) : undefined;
    return known && t(`refusal.${known}`, { least: price(LEAST_PAYMENT[currency], currency) });
  };
}
