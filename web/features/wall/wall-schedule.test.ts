import fc from "fast-check";
import { expect, test } from "vitest";
import { latestAt, placed, shownAround, tickAt, timeOf, type WallClock, type WallItem } from "./wall-schedule.ts";

const START = Date.parse("2026-06-20T15:00:00Z");
const clock: WallClock = { anchor_tick: 0, anchored_at: "2026-06-20T15:00:00Z", pace: 10, is_paused: false };
const item = (id: string, seconds = -60, ticks = 1): WallItem => ({ id, arrivedAt: START + seconds * 1000, ticks });
const many = (count: number) => Array.from({ length: count }, (_, i) => item(`photo-${i}`, -1000));
const sequence = (items: WallItem[], from: number, to: number, now = clock) =>
  shownAround(items, now, from, 0, to - from);

test("the position follows the clock, and stands still in a pause", () => {
  expect(tickAt(clock, START + 95_000)).toBe(9);
  expect(tickAt({ ...clock, anchor_tick: -3 }, START + 10_000)).toBe(-2);
  expect(tickAt({ ...clock, is_paused: true }, START + 95_000)).toBe(0);
  // A screen whose clock is behind shows the first picture.
  expect(tickAt(clock, START - 5000)).toBe(0);
  expect(timeOf(clock, 9)).toBe(START + 90_000);
});

test("each item is shown before any is shown again", () => {
  const items = many(20);
  expect(new Set(sequence(items, 0, 19)).size).toBe(20);
  expect(new Set(sequence(items, -20, -1)).size).toBe(20);
});

test("what arrives is shown at the next tick, once, and the others go on", () => {
  const items = many(5);
  const before = sequence(items, 0, 12);
  const after = sequence([...items, item("new", 33)], 0, 12);
  expect(after[4]).toBe("new");
  expect(after.filter((id) => id === "new")).toHaveLength(1);
  expect(after.toSpliced(4, 1)).toEqual(before.slice(0, 12));
});

test("the first item is shown at once, and several in the order in which they came", () => {
  expect(sequence([item("first", 14)], 1, 2)).toEqual(["first", "first"]);
  expect(sequence([item("a", 5), item("c", 25), item("b", 15)], 0, 3)).toEqual(["a", "b", "c", "a"]);
  expect(sequence([], 0, 2)).toEqual([undefined, undefined, undefined]);
});

test("what arrived joins the rotation in the next round", () => {
  const items = [...many(3), item("new", 33)];
  expect(new Set(sequence(items, 30, 33))).toEqual(new Set(items.map(({ id }) => id)));
});

test("a video stays for its ticks", () => {
  const items = [item("film", -60, 3), item("a"), item("b")];
  const order = sequence(items, 0, 9);
  const first = order.indexOf("film");
  expect(order.slice(first, first + 3)).toEqual(["film", "film", "film"]);
});

test("screens and remote controls with the same rows in any order agree", () => {
  const rows = fc.array(
    fc.record({ id: fc.uuid(), seconds: fc.integer({ min: -900, max: 900 }), ticks: fc.integer({ min: 1, max: 6 }) }),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(rows, fc.integer({ min: -50, max: 90 }), (all, tick) => {
      const items = all.map(({ id, seconds, ticks }) => item(id, seconds, ticks));
      expect(latestAt(items.toReversed(), clock, tick, 8)).toEqual(latestAt(items, clock, tick, 8));
      if (items.length > 0) expect(shownAround(items, clock, tick, 0, 0)[0]).toBeDefined();
    }),
  );
});

test("the mosaic keeps the places of what stays, and contains each item once", () => {
  expect(placed([], ["c", "b", "a"])).toEqual(["c", "b", "a"]);
  expect(placed(["c", "b", "a"], ["d", "c", "b"])).toEqual(["c", "b", "d"]);
  expect(placed(["c", "b", "a"], ["b"])).toEqual(["b"]);
  const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 8 });
  fc.assert(
    fc.property(ids, ids, (before, latest) => {
      const now = placed(before, latest);
      expect(now.toSorted()).toEqual(latest.toSorted());
      for (const [i, id] of before.entries()) if (i < latest.length && latest.includes(id)) expect(now[i]).toBe(id);
    }),
  );
});
