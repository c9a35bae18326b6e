import { localeOf } from "../../lib/formatting/locale.ts";

/** A moment with its time, by the reader's own clock. */
export const momentText = (moment: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));

/** What somebody typed as pounds or euros, as 12.50, in pence or cents; undefined where it is no amount. */
export function amountFrom(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined;
}

/** Pence or cents as they are typed: 1250 is 12.50. */
export const typedAmount = (amount: number): string => (amount / 100).toFixed(2);
