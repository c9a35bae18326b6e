import { expect, test } from "vitest";
import { elideDays } from "./italian-days.ts";

test.each([
  ["Finisce il 8 novembre 2026.", "Finisce l’8 novembre 2026."],
  ["Il 11 marzo comincia", "L’11 marzo comincia"],
  ["dal 8/11 fino al 11 nov", "dall’8/11 fino all’11 nov"],
  ["Link del 8 gennaio", "Link dell’8 gennaio"],
  ["Finisce il 18 marzo, il 1 maggio o il 7/11", "Finisce il 18 marzo, il 1 maggio o il 7/11"],
  ["fino al 80% del 8 per mille", "fino al 80% del 8 per mille"],
])("%s is written %s", (text, written) => {
  expect(elideDays(text)).toBe(written);
});
