import { expect, test } from "vitest";
import { idsBetween } from "./use-selection.ts";

const ids = ["a", "b", "c", "d"];

test("a range is the same from either end", () => {
  expect(idsBetween(ids, "b", "d")).toEqual(["b", "c", "d"]);
  expect(idsBetween(ids, "d", "b")).toEqual(["b", "c", "d"]);
});

test("a range without a start, or from a removed photo, is the one photo", () => {
  expect(idsBetween(ids, undefined, "c")).toEqual(["c"]);
  expect(idsBetween(ids, "x", "c")).toEqual(["c"]);
});
