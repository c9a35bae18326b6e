import { expect, test } from "vitest";
import { markAt, placeAt } from "./use-story-drag.tsx";

const stories = [
  { top: 100, bottom: 200 },
  { top: 240, bottom: 640 },
  { top: 680, bottom: 780 },
];

test.each([
  ["over the first", 20, 1, 0],
  ["in the upper half of a long one", 300, 2, 1],
  ["in its lower half", 500, 0, 1],
  ["under the last", 900, 0, 2],
  ["where it was", 440, 1, 1],
])("a story dragged %s takes that position", (_where, y, from, slot) => {
  expect(placeAt(y, from, stories)).toBe(slot);
});

test("the drop mark is between the new neighbours, or beyond the first or last story", () => {
  expect(markAt(1, 0, stories)).toBe(660);
  expect(markAt(0, 2, stories)).toBe(80);
  expect(markAt(2, 0, stories)).toBe(800);
});
