import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangement } from "./arrangement.ts";

const shown = (...positions: (number | null)[]) =>
  positions.map((position, index) => ({ id: "abcdefgh"[index] ?? "", position }));

test("the first arrangement gives every photo a place", () => {
  expect(arrangement(shown(null, null, null), new Set(["c"]), 0)).toEqual({
    positions: new Map([
      ["c", 1],
      ["a", 2],
      ["b", 3],
    ]),
    call: { all: ["c", "a", "b"] },
  });
});

test("from then on only those that move get another place", () => {
  expect(arrangement(shown(1, 2, 3, 4), new Set(["d"]), 1)).toEqual({
    positions: new Map([["d", 1.5]]),
    call: { ids: ["d"], before: "b" },
  });
});

test("several move together, in the order they are shown in", () => {
  expect(arrangement(shown(1, 2, 3, 4), new Set(["d", "a"]), 2)?.call).toEqual({ ids: ["a", "d"], before: "c" });
  expect(arrangement(shown(1, 2, 3, 4), new Set(["a", "b"]), 4)).toEqual({
    positions: new Map([
      ["a", 5],
      ["b", 6],
    ]),
    call: { ids: ["a", "b"], before: null },
  });
});

test("putting a photo where it is changes nothing", () => {
  expect(arrangement(shown(1, 2, 3), new Set(["b"]), 1)).toBeUndefined();
  expect(arrangement(shown(1, 2, 3), new Set(["b"]), 2)).toBeUndefined();
});

test("whatever moves wherever, its place lies between its neighbours'", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(7), { minLength: 1 }), fc.nat(8), (picked, gap) => {
      const before = shown(1, 2, 3, 4, 5, 6, 7, 8);
      const moving = new Set(picked.map((index) => before[index]?.id ?? ""));
      const changed = arrangement(before, moving, gap);
      const after = before
        .map(({ id, position }) => ({ id, position: changed?.positions.get(id) ?? position ?? 0 }))
        .toSorted((a, b) => a.position - b.position);
      const kept = (list: { id: string }[]) => list.map(({ id }) => id).filter((id) => !moving.has(id));
      expect(kept(after)).toEqual(kept(before));
      expect(new Set(after.map(({ position }) => position)).size).toBe(8);
    }),
  );
});
