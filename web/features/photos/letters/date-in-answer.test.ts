import { expect, test } from "vitest";
import { dateInAnswer } from "./date-in-answer.ts";

test.each([
  ["1962", "1962"],
  ["about 1962", "1962~"],
  ["verso il 1962, credo", "1962~"],
  ["ca. 1962", "1962~"],
  ["1962?", "1962~"],
  ["in the summer of 1962", "1962"],
  ["1961 or 1962", null],
  ["before the wedding", null],
  ["", null],
])("the date in “%s” is %s", (answer, date) => {
  expect(dateInAnswer(answer)).toBe(date);
});
