import { expect, test } from "vitest";
import { isPassphrase, normalPassphrase } from "./passphrase.ts";

test.each([
  ["Grandma's garden", "grandma's garden"],
  ["  grandma's\u00a0 garden\n", "grandma's garden"],
  ["PERCHÉ NO", "perche\u0301 no"],
  ["Ｎｏｎｎａ 1938", "nonna 1938"],
])("%j and %j are the same passphrase", (one, other) => {
  expect(normalPassphrase(one)).toBe(normalPassphrase(other));
});

test("a passphrase with another letter or accent is different", () => {
  expect(normalPassphrase("perche no")).not.toBe(normalPassphrase("perché no"));
});

test.each([
  ["apple", false],
  ["apples", true],
  ["🌻🌻🌻🌻🌻🌻", true],
  ["a".repeat(64), true],
  ["a".repeat(65), false],
])("%s may be a passphrase: %s", (text, may) => {
  expect(isPassphrase(normalPassphrase(text))).toBe(may);
});
