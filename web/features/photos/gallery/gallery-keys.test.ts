import { expect, test } from "vitest";
import { keyTarget } from "./gallery-keys.ts";

// Three rows: two wide photos, three narrow photos, and a single one.
const box = (left: number, top: number, width: number) => ({ left, top, width, height: 90 });
const boxes = [
  box(0, 0, 150),
  box(150, 0, 150),
  box(0, 100, 100),
  box(100, 100, 100),
  box(200, 100, 100),
  box(0, 200, 80),
];

test.each<[string, number, number | undefined]>([
  ["ArrowRight", 1, 2],
  ["ArrowRight", 5, 5],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 0, 2],
  ["ArrowDown", 1, 4],
  ["ArrowDown", 4, 5],
  ["ArrowDown", 5, 5],
  ["ArrowUp", 4, 1],
  ["ArrowUp", 5, 2],
  ["PageDown", 0, 5],
  ["PageUp", 5, 0],
  ["Home", 4, 0],
  ["End", 0, 5],
  ["a", 0, undefined],
])("%s leads from photo %i to photo %i", (key, from, to) => {
  expect(keyTarget(key, from, boxes, 250)).toBe(to);
});

test("keys do nothing without a photo", () => {
  expect(keyTarget("Home", -1, boxes, 250)).toBeUndefined();
});
