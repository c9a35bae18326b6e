import { numberText } from "./number-text.ts";

/** What prices are given in: pence of pounds, or cents of euros. */
export const CURRENCIES = ["GBP", "EUR"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The least that banks take by card, as the payment provider has it by currency. */
export const LEAST_PAYMENT: Readonly<Record<Currency, number>> = { GBP: 30, EUR: 50 };

/** Whether so much can be paid by card; what costs nothing needs no bank. */
export const isPayable = (amount: number, currency: Currency): boolean =>
  amount === 0 || amount >= LEAST_PAYMENT[currency];

const SIGNS: Readonly<Record<Currency, string>> = { GBP: "£", EUR: "€" };

/**
 * Spec §9: prices show in British number format, in either language: £45.00, €1,234.50, −£3.75 with a true minus.
 */
export function moneyText(
  amount: number,
  currency: Currency,
  trailingZeroDisplay: "auto" | "stripIfInteger" = "auto",
): string {
  const [whole = "", cents] = (Math.abs(amount) / 100).toFixed(2).split(".");
  const shownCents = trailingZeroDisplay === "stripIfInteger" && cents === "00" ? "" : `.${cents}`;
  return `${amount < 0 ? "−" : ""}${SIGNS[currency]}${numberText(Number(whole), "en")}${shownCents}`;
}

/** From so many pieces on, a line costs so many percent less. */
export interface QuantityDiscount {
  min_quantity: number;
  percentage: number;
}

export interface PricedLine {
  /** Of one piece, in pence or cents. */
  unit_amount: number;
  quantity: number;
  quantityDiscounts?: readonly QuantityDiscount[];
  /** What a voucher takes off this line; 0 where it does not cover it. */
  voucherPercentage?: number;
}

/** In pence or cents; `total` is `subtotal - discount` and never below 0. */
export interface Price {
  subtotal: number;
  discount: number;
  total: number;
}

/** So many percent of an amount, in whole pence: half a penny is rounded up. Percentages count to a hundredth. */
export function percentOf(amount: number, percentage: number): number {
  const hundredths = Math.round(percentage * 100);
  return Math.floor((amount * hundredths + 5000) / 10_000);
}

/** What so many pieces at once take off, in percent. */
export const quantityPercentage = (quantity: number, discounts: readonly QuantityDiscount[] = []): number =>
  Math.max(0, ...discounts.filter((one) => one.min_quantity <= quantity).map((one) => one.percentage));

/** The price of a line: first the quantity discount, then the voucher's from the rest, each rounded separately. */
export function priceLine({ unit_amount, quantity, quantityDiscounts = [], voucherPercentage = 0 }: PricedLine): Price {
  const subtotal = unit_amount * quantity;
  const forMany = percentOf(subtotal, quantityPercentage(quantity, quantityDiscounts));
  const discount = forMany + percentOf(subtotal - forMany, voucherPercentage);
  return { subtotal, discount, total: subtotal - discount };
}

/** What lines cost together: the sum of what each costs, so that a receipt adds up. */
export function priceLines(lines: readonly PricedLine[]): Price {
  const sum: Price = { subtotal: 0, discount: 0, total: 0 };
  for (const line of lines.map(priceLine)) {
    sum.subtotal += line.subtotal;
    sum.discount += line.discount;
    sum.total += line.total;
  }
  return sum;
}
