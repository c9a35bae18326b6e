import { expect, test } from "vitest";
import { contrast, mix, over } from "./colour-mix.ts";

test("a mix starts at the first colour and ends at the second", () => {
  expect(mix("#5aa9dc", "#f8bd86", 0)).toBe("#5aa9dc");
  expect(mix("#5aa9dc", "#f8bd86", 1)).toBe("#f8bd86");
});

test("half way from black to white is the middle grey of the eye, not of the screen", () => {
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#636363");
});

test("a half transparent colour is the middle of both on the screen", () => {
  expect(over("#ffffff", "#000000", 0.5)).toBe("#808080");
});

test("contrast is WCAG's, whichever colour comes first", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});
