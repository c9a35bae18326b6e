import { describe, expect, test } from "vitest";
import { isPin } from "./pin.ts";

describe("Spec §5: the PIN is 4 digits", () => {
  test.each(["0000", "1234", "9999"])("%s is a PIN", (text) => expect(isPin(text)).toBe(true));
  test.each(["", "123", "12345", "12 4", "abcd", "1234\n", " 1234", "١٢٣٤", "１２３４", "-123", "1e10"])(
    "%j is not a PIN",
    (text) => expect(isPin(text)).toBe(false),
  );
});
