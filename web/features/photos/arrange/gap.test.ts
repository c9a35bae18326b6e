import { expect, test } from "vitest";
import { gapAt, markOf } from "./gap.ts";

const box = (left: number, top: number) => ({ left, top, width: 100, height: 80 });
const boxes = [box(0, 0), box(108, 0), box(0, 88)];

test.each<[string, { x: number; y: number }, number, boolean]>([
  ["on the left half of a photo, before it", { x: 130, y: 40 }, 1, false],
  ["on its right half, after it", { x: 190, y: 40 }, 2, true],
  ["above the gallery, in its first row", { x: 10, y: -200 }, 0, false],
  ["below it, at the end", { x: 500, y: 900 }, 3, true],
  ["beside a short row, after its last", { x: 190, y: 120 }, 3, true],
])("%s", (_where, point, index, atEnd) => {
  expect(gapAt(point, boxes)).toEqual({ index, atEnd });
});

test("a gap between two rows is marked where the pointer is", () => {
  expect(markOf({ index: 2, atEnd: true }, boxes)).toMatchObject({ left: 210, top: 0 });
  expect(markOf({ index: 2, atEnd: false }, boxes)).toMatchObject({ left: -6, top: 88 });
  expect(markOf({ index: 3, atEnd: false }, boxes)).toMatchObject({ left: 102, top: 88 });
});

test("an empty gallery has one gap and no mark", () => {
  expect(gapAt({ x: 1, y: 1 }, [])).toEqual({ index: 0, atEnd: false });
  expect(markOf({ index: 0, atEnd: false }, [])).toBeUndefined();
});
