import { expect, test } from "vitest";
import { type Box, isEdit, LEAST_BLUR, UNEDITED } from "../../../../shared/photo-edit.ts";
import { between, inTheMiddle, stretched } from "./blur.ts";
import { moved } from "./crop.ts";

test("a part lies between the points of a drag in any direction, inside the picture", () => {
  expect(between({ x: 0.2, y: 0.3 }, { x: 0.5, y: 0.7 })).toEqual([0.2, 0.3, 0.3, 0.4]);
  expect(between({ x: 0.5, y: 0.7 }, { x: 0.2, y: 0.3 })).toEqual([0.2, 0.3, 0.3, 0.4]);
  expect(between({ x: 0.9, y: 0.9 }, { x: 0.9, y: 0.9 })).toEqual([0.9, 0.9, LEAST_BLUR, LEAST_BLUR]);
});

test("a corner is moved as far as the edge", () => {
  expect(stretched([0.5, 0.5, 0.2, 0.2], 0.1, -0.1)).toEqual([0.5, 0.5, 0.3, 0.1]);
  expect(stretched([0.5, 0.5, 0.2, 0.2], 9, -9)).toEqual([0.5, 0.5, 0.5, LEAST_BLUR]);
});

test("every movement gives a part that can be stored", () => {
  const moves = [-3, -0.3333, -0.01, 0, 0.0077, 0.5, 7];
  const starts: Box[] = [
    inTheMiddle(1),
    inTheMiddle(0.4),
    inTheMiddle(3),
    between({ x: -1, y: 0.2 }, { x: 2, y: 0.21 }),
  ];
  for (const start of starts) {
    for (const x of moves) {
      for (const y of moves) {
        const part = stretched(moved(stretched(start, x, y), y, x, LEAST_BLUR), x, y);
        expect([part, isEdit({ ...UNEDITED, blur: [part] })]).toEqual([part, true]);
      }
    }
  }
});
