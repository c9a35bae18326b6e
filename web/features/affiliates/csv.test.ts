import { expect, test } from "vitest";
import { csvLines } from "./csv.ts";

test("each commission is one line, with amounts in pounds and a decimal point", async () => {
  async function* commissions() {
    yield {
      id: "1",
      currency: "GBP" as const,
      base: 4500,
      earned: 1350,
      reversed: 50,
      amount: 1300,
      held: true,
      earned_at: "2026-03-01T10:00:00Z",
      payable_at: "2026-03-31T10:00:00Z",
    };
  }
  const lines = [];
  for await (const line of csvLines(["date", "=x"], commissions())) lines.push(line);
  expect(lines).toEqual([
    `\ufeff"date","'=x"\r\n`,
    `"2026-03-01","GBP","45.00","13.50","0.50","13.00","2026-03-31","held"\r\n`,
  ]);
});
