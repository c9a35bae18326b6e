import { expect, test } from "vitest";
import { isEasyPin, randomPin } from "./pin-choice.ts";

test.each(["1234", "4321", "7890", "0000", "1212", "7788", "1931", "2019"])("%s is easy to guess", (pin) => {
  expect(isEasyPin(pin)).toBe(true);
});

test.each(["0417", "2581", "1357", "9082", "2050"])("%s is not easy to guess", (pin) => {
  expect(isEasyPin(pin)).toBe(false);
});

test("a suggested PIN has four digits and is not easy to guess", () => {
  const numbers = [4_294_961_234, 10_000, 1999, 417];
  expect(randomPin(() => numbers.shift() ?? 0)).toBe("0417");
  expect(randomPin()).toMatch(/^\d{4}$/);
});
