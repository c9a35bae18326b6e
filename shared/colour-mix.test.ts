import { expect, test } from "vitest";
import { contrast, mix, over } from "./colour-mix.ts";

test("a mix starts at the first colour and ends at the second", () => {
  expect(mix("#5aa9dc", "#f8bd86", 0)).toBe("#5aa9dc");
  expect(mix("#5aa9dc", "#f8bd86", 1)).toBe("#f8bd86");
});

test("the middle of black and white is the perceived middle grey", () => {
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#636363");
});

test("a half transparent colour is the average of the two screen values", () => {
  expect(over("#ffffff", "#000000", 0.5)).toBe("#808080");
});

test("contrast follows WCAG, in either order of the colours", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});
