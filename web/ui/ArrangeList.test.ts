import { expect, test } from "vitest";
import { nearestBox } from "./ArrangeList.tsx";

const box = (x: number, top: number) => ({ left: x, top, width: 100, height: 80 });
const boxes = [box(0, 0), box(110, 0), box(0, 90)];

test.each([
  ["inside one", { x: 150, y: 30 }, 1],
  ["between two, nearer to the first", { x: 100, y: 40 }, 0],
  ["far below", { x: 20, y: 900 }, 2],
])("a point %s selects the nearest box", (_where, point, place) => {
  expect(nearestBox(point, boxes)).toBe(place);
});

test("an empty list has the first position", () => {
  expect(nearestBox({ x: 1, y: 1 }, [])).toBe(0);
});
