import { expect, test } from "vitest";
import { fitted, swipeMeaning, WHOLE, within, zoomedAt } from "./use-zoom.ts";

const stage = { width: 400, height: 800 };
const photo = { width: 4000, height: 3000 };

test("a photo is fitted whole into the stage", () => {
  expect(fitted(photo, stage)).toEqual({ width: 400, height: 300 });
});

test("zooming keeps the point under the fingers in place", () => {
  const point = { x: 100, y: -50 };
  const view = zoomedAt(WHOLE, 2, point);
  // The same point of the photo is at `point` before and after zooming.
  expect({ x: point.x * 2 + view.x, y: point.y * 2 + view.y }).toEqual(point);
});

test("a photo cannot be moved off the stage or made smaller than its fitted size", () => {
  expect(within({ scale: 2, x: 999, y: 999 }, photo, stage)).toEqual({ scale: 2, x: 200, y: 0 });
  expect(within({ scale: 0.3, x: 20, y: 20 }, photo, stage)).toEqual(WHOLE);
  expect(within({ scale: 99, x: 0, y: 0 }, photo, stage).scale).toBe(6);
});

test.each([
  [-80, 5, 0, "next"],
  [80, -5, 0, "previous"],
  [-30, 0, -0.8, "next"],
  [30, 0, 0.1, "stay"],
  [10, 150, 0, "close"],
  [10, -150, 0, "stay"],
] as const)("a swipe of %d and %d pixels at the speed %d means: %s", (dx, dy, speed, meaning) => {
  expect(swipeMeaning(dx, dy, speed)).toBe(meaning);
});
