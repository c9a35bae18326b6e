import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

test("Spec §9: an excerpt has 200 characters and an ellipsis", () => {
  expect(excerpt("a".repeat(300))).toBe(`${"a".repeat(200)}…`);
  expect(excerpt("a".repeat(200))).toBe("a".repeat(200));
  expect(excerpt("")).toBe("");
});

test("no character is split, and no space comes before the ellipsis", () => {
  expect(excerpt(`${"a".repeat(199)}🌌🌌`)).toBe(`${"a".repeat(199)}🌌…`);
  expect(excerpt(`${"a".repeat(199)} bcd`)).toBe(`${"a".repeat(199)}…`);
});
