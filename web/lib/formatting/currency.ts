import { type Currency, moneyText } from "../../../shared/money.ts";

/** Spec §9: pounds in English, euros in Italian, else pounds. */
export const currencyFor = (language: string): Currency => (/^it\b/i.test(language) ? "EUR" : "GBP");

/** An amount of pence or cents as one reads it. */
export const price = moneyText;

/** The same without zero pence, for large type: £45, £38.25. */
export const roundPrice = (amount: number, currency: Currency): string => moneyText(amount, currency, "stripIfInteger");
