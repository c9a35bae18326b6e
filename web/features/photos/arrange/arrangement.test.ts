import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangement, gapAt, markOf, undone } from "./arrangement.ts";

const photosAt = (...positions: (number | null)[]) =>
  positions.map((position, index) => ({ id: "abcdefgh"[index] ?? "", position }));

test("the first arrangement gives every photo a position", () => {
  expect(arrangement(photosAt(null, null, null), new Set(["c"]), 0)).toEqual({
    positions: new Map([
      ["c", 1],
      ["a", 2],
      ["b", 3],
    ]),
    call: { all: ["c", "a", "b"] },
  });
});

test("later arrangements change only the positions of moved photos", () => {
  expect(arrangement(photosAt(1, 2, 3, 4), new Set(["d"]), 1)).toEqual({
    positions: new Map([["d", 1.5]]),
    call: { ids: ["d"], before: "b" },
  });
});

test("several move together, in the order they are shown in", () => {
  expect(arrangement(photosAt(1, 2, 3, 4), new Set(["d", "a"]), 2)?.call).toEqual({ ids: ["a", "d"], before: "c" });
  expect(arrangement(photosAt(1, 2, 3, 4), new Set(["a", "b"]), 4)).toEqual({
    positions: new Map([
      ["a", 5],
      ["b", 6],
    ]),
    call: { ids: ["a", "b"], before: null },
  });
});

test("putting a photo where it is changes nothing", () => {
  expect(arrangement(photosAt(1, 2, 3), new Set(["b"]), 1)).toBeUndefined();
  expect(arrangement(photosAt(1, 2, 3), new Set(["b"]), 2)).toBeUndefined();
});

test("a moved photo always gets a position between its neighbours", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(7), { minLength: 1 }), fc.nat(8), (picked, gap) => {
      const before = photosAt(1, 2, 3, 4, 5, 6, 7, 8);
      const moving = new Set(picked.map((index) => before[index]?.id ?? ""));
      const changed = arrangement(before, moving, gap);
      const after = before
        .map(({ id, position }) => ({ id, position: changed?.positions.get(id) ?? position ?? 0 }))
        .toSorted((a, b) => a.position - b.position);
      const remainingIds = (list: { id: string }[]) => list.map(({ id }) => id).filter((id) => !moving.has(id));
      expect(remainingIds(after)).toEqual(remainingIds(before));
      expect(new Set(after.map(({ position }) => position)).size).toBe(8);
    }),
  );
});

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

test("the undo of an arrangement names the former places and the ones that must still stand", () => {
  const before = photosAt(1, 2, 3, 4);
  const order = arrangement(before, new Set(["d"]), 1);
  expect(order && undone(order, before, "arranged")).toEqual({
    positions: new Map([["d", 4]]),
    call: { restored: { ids: ["d"], positions: [4], expected: [1.5], media_order: "arranged" } },
  });
  const first = arrangement(photosAt(null, null), new Set(["b"]), 0);
  expect(first && undone(first, photosAt(null, null), "newest").call).toEqual({
    restored: { ids: ["a", "b"], positions: [null, null], expected: [2, 1], media_order: "newest" },
  });
});
