import { numberText } from "./number-text.ts";

/** The currencies of prices. Amounts are in pence or cents. */
export const CURRENCIES = ["GBP", "EUR"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The payment provider's minimum card payment by currency, in pence or cents. */
export const LEAST_PAYMENT: Readonly<Record<Currency, number>> = { GBP: 30, EUR: 50 };

/** Whether an amount can be paid by card, or is zero and needs no payment. */
export const isPayable = (amount: number, currency: Currency): boolean =>
  amount === 0 || amount >= LEAST_PAYMENT[currency];

const SIGNS: Readonly<Record<Currency, string>> = { GBP: "£", EUR: "€" };

/**
 * Formats a price in British number format in both languages (Spec §9): £45.00, €1,234.50, −£3.75 with a minus sign.
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

/** A discount of `percentage` percent from `min_quantity` pieces. */
export interface QuantityDiscount {
  min_quantity: number;
  percentage: number;
}

export interface PricedLine {
  /** The price of one piece, in pence or cents. */
  unit_amount: number;
  quantity: number;
  quantityDiscounts?: readonly QuantityDiscount[];
  /** The voucher's discount for this line in percent; 0 if the voucher does not cover it. */
  voucherPercentage?: number;
}

/** A price in pence or cents. `total` is `subtotal - discount` and never negative. */
export interface Price {
  subtotal: number;
  discount: number;
  total: number;
}

/** Returns a percentage of an amount in whole pence; halves are rounded up. Percentages have up to two decimals. */
export function percentOf(amount: number, percentage: number): number {
  const hundredths = Math.round(percentage * 100);
  return Math.floor((amount * hundredths + 5000) / 10_000);
}

/** Returns the quantity discount for a number of pieces, in percent. */
export const quantityPercentage = (quantity: number, discounts: readonly QuantityDiscount[] = []): number =>
  Math.max(0, ...discounts.filter((one) => one.min_quantity <= quantity).map((one) => one.percentage));

/** Prices a line: first the quantity discount, then the voucher on the remaining amount, each rounded separately. */
export function priceLine({ unit_amount, quantity, quantityDiscounts = [], voucherPercentage = 0 }: PricedLine): Price {
  const subtotal = unit_amount * quantity;
  const forMany = percentOf(subtotal, quantityPercentage(quantity, quantityDiscounts));
  const discount = forMany + percentOf(subtotal - forMany, voucherPercentage);
  return { subtotal, discount, total: subtotal - discount };
}

/** Returns the total price of lines: the sum of their rounded prices, so that a receipt adds up. */
export function priceLines(lines: readonly PricedLine[]): Price {
  const sum: Price = { subtotal: 0, discount: 0, total: 0 };
  for (const line of lines.map(priceLine)) {
    sum.subtotal += line.subtotal;
    sum.discount += line.discount;
    sum.total += line.total;
  }
  return sum;
}
