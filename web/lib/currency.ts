import type { Currency } from "../../shared/money.ts";

/** Spec §9: pounds in English, euros in Italian, else pounds. */
export const currencyFor = (language: string): Currency => (/^it\b/i.test(language) ? "EUR" : "GBP");

const format = (currency: Currency, trailingZeroDisplay: "auto" | "stripIfInteger") =>
  // Spec §9: prices show in British number format, in either language.
  new Intl.NumberFormat("en-GB", { style: "currency", currency, trailingZeroDisplay });

/** An amount of pence or cents as one reads it: £45.00, €1,234.50. */
export const price = (amount: number, currency: Currency): string => format(currency, "auto").format(amount / 100);

/** The same without pence where there are none, for what is set large: £45, £38.25. */
export const roundPrice = (amount: number, currency: Currency): string =>
  format(currency, "stripIfInteger").format(amount / 100);
