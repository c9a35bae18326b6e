import { expect, test } from "vitest";
import { currencyFor, price, roundPrice } from "./currency.ts";

test.each([
  ["en", "GBP"],
  ["en-US", "GBP"],
  ["it", "EUR"],
  ["it-CH", "EUR"],
  ["fr", "GBP"],
  ["", "GBP"],
])("Spec §9: in %s one pays in %s", (language, currency) => expect(currencyFor(language)).toBe(currency));

test("Spec §9: prices show in British number format, in either currency", () => {
  expect(price(4500, "GBP")).toBe("£45.00");
  expect(price(123_450, "EUR")).toBe("€1,234.50");
  expect(price(-375, "GBP")).toBe("−£3.75");
  expect([roundPrice(4500, "GBP"), roundPrice(3825, "GBP"), roundPrice(12_000, "EUR")]).toEqual([
    "£45",
    "£38.25",
    "€120",
  ]);
});
