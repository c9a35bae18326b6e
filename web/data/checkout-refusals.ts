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

/** The codes whose text tells a buyer more than the server's message, e.g. what to do. */
const ADVICE: readonly (typeof REFUSALS)[number][] = ["not_engravable", "payment_under_way", "total_too_small"];
/** The codes whose text says what has been paid. */
const PAYMENT_STATED = ["payment_under_way", "payments_unreachable"];

/** A refused checkout with the server's error code. */
export class CheckoutRefusal extends Error {
  /** The server's own message, in English. */
  readonly reason: string;

  constructor(
    message: string,
    readonly code: string | undefined,
    { reason = message, ...options }: ErrorOptions & { reason?: string } = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}

/** What a buyer reads after a failed checkout: the messages of Spec §8, and then the app's own sentences. */
export interface CheckoutFailure {
  message: string;
  advice: string | undefined;
  /** Whether the texts leave open that nothing has been paid. */
  paymentOpen: boolean;
}

/** Returns the texts for a failed checkout. The server's messages exist only in English. */
export function useCheckoutFailure(currency: Currency) {
  const { t, i18n } = useTranslation("cart");
  return (error: Error): CheckoutFailure => {
    const refusal = error instanceof CheckoutRefusal ? error : undefined;
    const code = REFUSALS.find((code) => code === refusal?.code);
    const text = code && t(`refusal.${code}`, { least: price(LEAST_PAYMENT[currency], currency) });
    const paymentOpen = !PAYMENT_STATED.includes(code ?? "");
    if (i18n.language.startsWith("en")) {
      return { message: error.message, advice: code && ADVICE.includes(code) ? text : undefined, paymentOpen };
    }
    const message = refusal ? t("checkout.failedBecause", { reason: text ?? refusal.reason }) : t("checkout.failed");
    return { message, advice: undefined, paymentOpen };
  };
}
