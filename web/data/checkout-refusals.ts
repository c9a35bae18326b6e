import { useTranslation } from "react-i18next";
import { type Currency, LEAST_PAYMENT } from "../../shared/money.ts";
import { price } from "../lib/formatting/currency.ts";

/** The server's error codes; each has a text for people. */
const REFUSALS = [
  "cart_empty",
  "not_for_sale",
  "not_engravable",
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

/** A refused checkout with the server's error code. */
export class CheckoutRefusal extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The text for a refused checkout; undefined for an unknown code. */
export function useRefusalText(currency: Currency) {
  const { t } = useTranslation("cart");
  return (error: Error | null): string | undefined => {
    const known = error instanceof CheckoutRefusal ? REFUSALS.find((code) => code === error.code) : undefined;
    return known && t(`refusal.${known}`, { least: price(LEAST_PAYMENT[currency], currency) });
  };
}
