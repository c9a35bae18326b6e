import fc from "fast-check";
import { expect, test } from "vitest";
import { itemsBetween } from "./use-grid-window.ts";

const grid = { columns: 3, row: 280, gap: 20 };

test("the rows near the window are drawn completely", () => {
  expect(itemsBetween(grid, 510, 0, 900)).toEqual({ first: 0, last: 9 });
  expect(itemsBetween(grid, 510, 299, 901)).toEqual({ first: 0, last: 12 });
  expect(itemsBetween(grid, 510, 600, 900)).toEqual({ first: 6, last: 9 });
  expect(itemsBetween(grid, 8, 300, 9000)).toEqual({ first: 3, last: 8 });
});

test("one row remains if the window is far above or below", () => {
  expect(itemsBetween(grid, 8, -5000, -4000)).toEqual({ first: 0, last: 3 });
  expect(itemsBetween(grid, 8, 5000, 6000)).toEqual({ first: 6, last: 8 });
  expect(itemsBetween(grid, 0, 0, 900)).toEqual({ first: 0, last: 0 });
});

test("every item is drawn at some scroll position, and the range stays within the items", () => {
  fc.assert(
    fc.property(
      fc.record({
        columns: fc.integer({ min: 1, max: 6 }),
        row: fc.integer({ min: 40, max: 400 }),
        gap: fc.integer({ min: 0, max: 40 }),
      }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 200, max: 2000 }),
      (shape, count, height) => {
        const drawn = new Set<number>();
        const whole = Math.ceil(count / shape.columns) * (shape.row + shape.gap);
        for (let top = 0; top < whole; top += height) {
          const { first, last } = itemsBetween(shape, count, top, top + height);
          expect(last - first).toBeLessThanOrEqual((Math.ceil(height / (shape.row + shape.gap)) + 1) * shape.columns);
          for (let index = first; index < last; index++) drawn.add(index);
        }
        expect(drawn.size).toBe(count);
      },
    ),
  );
});
