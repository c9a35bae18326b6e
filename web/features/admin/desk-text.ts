import { localeOf } from "../../lib/formatting/locale.ts";

/** A date with its time in the reader's time zone. */
export const momentText = (moment: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));

/** Parses an amount of pounds or euros such as 12.50 into pence or cents; undefined if malformed. */
export function amountFrom(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined;
}

/** Formats pence or cents for an input: 1250 is 12.50. */
export const typedAmount = (amount: number): string => (amount / 100).toFixed(2);
