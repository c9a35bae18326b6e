import { expect, test } from "vitest";
import { blocksAboveFold } from "./StoryText.tsx";

test.each<[string, number[], number]>([
  ["a short story is shown whole", [300, 400], 2],
  ["one that goes on a little longer too", [800, 700, 300], 3],
  ["a long one is folded after the block that fills the page", [500, 600, 500, 900, 900], 3],
  ["headings and photos go with what is read before them", [900, 20, 600, 0, 2000], 3],
  ["one long paragraph is not cut", [9000], 1],
  ["nothing is nothing", [], 0],
])("%s", (_what, letters, blocks) => {
  expect(blocksAboveFold(letters)).toBe(blocks);
});
