import { expect, test } from "vitest";
import type { Photo } from "../../../data/media.queries.ts";
import { galleryLayout, isBetween } from "./gallery-layout.ts";

const photos = Array.from(
  { length: 60 },
  (_, index) =>
    ({
      id: `p${index}`,
      width: 300,
      height: index % 3 ? 200 : 400,
      taken_at: `2019-0${1 + Math.floor(index / 20)}-01T08:00:00`,
      created_at: "2026-11-20T10:00:00+00:00",
    }) as Photo,
);

test("every photo has one box inside the gallery, in order, and no two lie on each other", () => {
  const { boxes, height } = galleryLayout(photos, "taken", 1200);
  expect(boxes).toHaveLength(60);
  boxes.forEach((box, index) => {
    expect(box.left + box.width).toBeLessThanOrEqual(1200);
    expect(box.top + box.height).toBeLessThanOrEqual(height);
    const next = boxes[index + 1];
    if (next) expect(next.top > box.top || next.left >= box.left + box.width).toBe(true);
  });
});

test("groups have room for their titles, and photos that nothing dates have none", () => {
  const dated = galleryLayout(photos, "taken", 1200);
  expect(dated.groups.map(({ date, before }) => [date, before])).toEqual([
    ["2019-01-01", 0],
    ["2019-02-01", 20],
    ["2019-03-01", 40],
  ]);
  for (const group of dated.groups) expect(group.boxes[0]?.top).toBe(group.top + dated.titleHeight);
  expect(galleryLayout(photos, "arranged", 1200).titleHeight).toBe(0);
});

test("before the width is known nothing is placed", () => {
  expect(galleryLayout(photos, "taken", 0)).toMatchObject({ groups: [], height: 0 });
});

test("a box that only touches the window is not in it", () => {
  const box = { top: 100, height: 50 };
  expect([isBetween(box, 150, 300), isBetween(box, 0, 100), isBetween(box, 149, 300)]).toEqual([false, false, true]);
});
