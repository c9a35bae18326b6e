import fc from "fast-check";
import { expect, test } from "vitest";
import { photoShelves, type Shelf } from "./photo-shelves.ts";

const options = { width: 1200, rowHeight: 240, gap: 8, groupGap: 24, tallest: 1.4, shortest: 0.75 };
const group = (...ratios: number[]) => ({ ratios });

const extent = ({ groups }: Shelf<unknown>) =>
  groups.reduce((total, { width }) => total + width, 0) + options.groupGap * (groups.length - 1);

test("days with one photo each share a shelf that reaches both edges", () => {
  const [shelf, ...more] = photoShelves([group(1.5), group(1.4), group(1.6)], options);
  expect(more).toEqual([]);
  expect(shelf?.groups).toHaveLength(3);
  expect(extent(shelf as Shelf<unknown>)).toBe(1200);
});

test("on a phone two days with a landscape photo each share a shelf, made a little smaller for it", () => {
  const phone = { ...options, width: 336, rowHeight: 150, groupGap: 20 };
  const shelves = photoShelves([group(4 / 3), group(4 / 3), group(4 / 3)], phone);
  expect(shelves.map(({ groups }) => groups.length)).toEqual([2, 1]);
  expect(shelves[0]?.height).toBeGreaterThanOrEqual(150 * 0.75);
  expect(shelves[0]?.height).toBeLessThan(150);
});

test("a lone photo is not blown up to fill the page", () => {
  const [shelf] = photoShelves([group(1)], options);
  expect(shelf?.height).toBe(240);
  expect(shelf?.groups[0]?.width).toBe(240);
});

test("a full day has rows of its own between the others", () => {
  const many = group(...Array<number>(12).fill(1.5));
  const shelves = photoShelves([group(1.5), many, group(1)], options);
  expect(shelves.map(({ groups }) => groups.map((placed) => placed.boxes.length))).toEqual([[1], [12], [1]]);
});

test("whatever the photos, every one has its place, in order and inside the page", () => {
  const ratios = fc.array(fc.double({ min: 0.4, max: 3.5, noNaN: true }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(ratios, { maxLength: 20 }), fc.integer({ min: 300, max: 2000 }), (given, width) => {
      const groups = given.map((one) => group(...one));
      const shelves = photoShelves(groups, { ...options, width });
      expect(shelves.flatMap((shelf) => shelf.groups.map((placed) => placed.group))).toEqual(groups);
      for (const shelf of shelves) {
        expect(extent(shelf)).toBeLessThanOrEqual(width);
        for (const placed of shelf.groups) {
          expect(placed.boxes).toHaveLength(placed.group.ratios.length);
          for (const box of placed.boxes) {
            expect(box.width).toBeGreaterThan(0);
            expect(box.left + box.width).toBeLessThanOrEqual(placed.width);
            expect(box.top + box.height).toBeLessThanOrEqual(shelf.height);
          }
        }
      }
    }),
  );
});
