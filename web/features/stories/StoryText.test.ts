import { expect, test } from "vitest";
import { blocksAboveFold } from "./StoryText.tsx";

test.each<[string, number[], number]>([
  ["a short story is shown whole", [300, 400], 2],
  ["a slightly longer story is shown whole", [800, 700, 300], 3],
  ["a long story is folded after the block that fills the page", [500, 600, 500, 900, 900], 3],
  ["headings and photos stay with the text before them", [900, 20, 600, 0, 2000], 3],
  ["one long paragraph is not cut", [9000], 1],
  ["an empty story has no blocks", [], 0],
])("%s", (_what, letters, blocks) => {
  expect(blocksAboveFold(letters)).toBe(blocks);
});
