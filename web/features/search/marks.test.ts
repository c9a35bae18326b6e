import { expect, test } from "vitest";
import { markedParts } from "./marks.ts";

test.each([
  ["The lighthouse keeper", "light", ["lighthouse"]],
  ["Children building sandcastles", "sandcastle children", ["Children", "sandcastles"]],
  ["L’estate più bella", "estate", ["L’estate"]],
  ["La bottega dell'artigiano", "artigiani", ["dell'artigiano"]],
  ["Niccolò Però", "niccolo", ["Niccolò"]],
  ["Arthur O’Neill", "oneill", ["O’Neill"]],
  ["Her birthday cake", "birhtday", ["birthday"]],
  ["Gli gnocchi della nonna", "gli gnochi della nonna", ["gnocchi", "nonna"]],
  ["A day at the sea", "the sea", ["sea"]],
  ["مرحبا بالعالم", "مرحبا", ["مرحبا"]],
  ["<b>bold</b> & more", "b", ["b", "bold", "b"]],
  ["Nothing here", "(.*)+$", []],
])("of %j, a search for %j marks %j", (text, find, marked) => {
  const parts = markedParts(text, find);
  expect(parts.filter((part) => part.marked).map((part) => part.text)).toEqual(marked);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});
