import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "./errors.ts";
import { parseGroup, parseTest } from "./parse-filters.ts";
import { parseOrder } from "./parse-query.ts";
import { parseSelect } from "./parse-select.ts";
import { Reader } from "./reader.ts";

const tokens = fc.constantFrom(
  ...'a b, ( ) . : :: -> ->> ! " \\ { } eq in not and or is null * ... count() desc'.split(" "),
);
const text = fc
  .array(fc.oneof(tokens, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 20 })
  .map((parts) => parts.join(""));

test.each<[string, (text: string) => unknown]>([
  ["select", parseSelect],
  ["order", parseOrder],
  ["a filter", (value) => parseTest({ name: "a", path: [] }, value)],
  ["and", (value) => parseGroup("and", false, value)],
])("%s is read or refused as wrong or not supported, whatever it says", (_what, parse) => {
  fc.assert(
    fc.property(text, (value) => {
      try {
        parse(value);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
        expect(error).toMatchObject({ status: 400, code: expect.stringMatching(/^(PGRST100|not_supported)$/) });
      }
    }),
    { numRuns: 2000 },
  );
});

test("a quoted text comes out as it went in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      const reader = new Reader(`"${value.replaceAll(/["\\]/g, "\\$&")}"`);
      expect(reader.quoted()).toBe(value);
      reader.end();
    }),
  );
});
