import { expect, test } from "vitest";
import { movedPoint, pointAt } from "./points.ts";

const box = { left: 100, top: 50, width: 400, height: 200 };

test("a press is a fraction of the picture, also at its edges and beside it", () => {
  expect(pointAt(box, 200, 150)).toEqual({ x: 0.25, y: 0.5 });
  expect(pointAt(box, 100, 250)).toEqual({ x: 0, y: 1 });
  expect(pointAt(box, 99, 251)).toEqual({ x: 0, y: 1 });
  expect(pointAt({ ...box, width: 0, height: 0 }, 100, 50)).toEqual({ x: 0, y: 0 });
});

test("arrow keys move a point within the picture, other keys do not", () => {
  expect(movedPoint({ x: 0.5, y: 0.5 }, "ArrowLeft", false)).toEqual({ x: 0.49, y: 0.5 });
  expect(movedPoint({ x: 0.5, y: 0.95 }, "ArrowDown", true)).toEqual({ x: 0.5, y: 1 });
  expect(movedPoint({ x: 0.5, y: 0.5 }, "a", false)).toBeUndefined();
});
