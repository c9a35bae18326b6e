import { type Currency, moneyText } from "../../../shared/money.ts";

/** Spec §9: euros in Italian, otherwise pounds. */
export const currencyFor = (language: string): Currency => (/^it\b/i.test(language) ? "EUR" : "GBP");

/** Formats an amount of pence or cents. */
export const price = moneyText;

/** Like {@link price}, but without zero pence, for large type: £45, £38.25. */
export const roundPrice = (amount: number, currency: Currency): string => moneyText(amount, currency, "stripIfInteger");
