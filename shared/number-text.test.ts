import { expect, test } from "vitest";
import { numberText } from "./number-text.ts";

test.each([0, 7, 999, 1000, 1234, -1234, 9999, 10_000, -12_345, 123_456, 1_234_567])(
  "%d is written as each language writes it",
  (value) => {
    for (const locale of ["en", "en-GB", "it"]) {
      expect(numberText(value, locale)).toBe(new Intl.NumberFormat(locale).format(value));
    }
  },
);
