import { expect, test } from "vitest";
import { levelsOf } from "./Wave.tsx";

test("a line shows the loudest of the parts that it stands for", () => {
  expect(levelsOf("0z0z", 2)).toEqual([1, 1]);
  expect(levelsOf("00zz", 2)).toEqual([0, 1]);
});

test("few parts are drawn with more lines, and none as silence", () => {
  expect(levelsOf("0z", 4)).toEqual([0, 0, 1, 1]);
  expect(levelsOf(null, 3)).toEqual([0, 0, 0]);
});
