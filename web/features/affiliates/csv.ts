import { cell } from "../../lib/formatting/csv.ts";
import { localDay } from "../../lib/formatting/local-day.ts";
import type { Commission } from "./affiliates.queries.ts";

/** Formats pence or cents as pounds or euros with a point: 1234 is 12.34. */
const money = (amount: number) => (amount / 100).toFixed(2);

/** The lines of a CSV file with these column names. Days are those of the reader's time zone, as on the page. */
export async function* csvLines(names: readonly string[], commissions: AsyncIterable<Commission>) {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\ufeff${names.map(cell).join(",")}\r\n`;
  for await (const { earned_at, currency, base, earned, reversed, amount, payable_at, held: isHeld } of commissions) {
    const values = [localDay(earned_at), currency, money(base), money(earned), money(reversed), money(amount)];
    yield `${[...values, localDay(payable_at), isHeld ? "held" : ""].map(cell).join(",")}\r\n`;
  }
}
