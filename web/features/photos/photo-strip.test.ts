import { expect, test } from "vitest";
import type { Photo } from "../../data/media.queries.ts";
import { photosOfStrip } from "./photos-of-strip.ts";

const photo = (index: number, more: Partial<Photo> = {}) =>
  ({
    id: String(index).padStart(2, "0"),
    state: "ready",
    is_cover: false,
    position: null,
    taken_at: `19${10 + index}`,
    time_order: null,
    created_at: `2026-01-01T00:00:${String(index).padStart(2, "0")}Z`,
    ...more,
  }) as Photo;
const ids = (photos: readonly Photo[]) => photos.map(({ id }) => Number(id));

test("the strip has photos from the whole period, without the cover and without broken ones", () => {
  const photos = Array.from({ length: 16 }, (_, index) =>
    photo(index, { is_cover: index === 0, state: index === 15 ? "broken" : "ready" }),
  );
  expect(ids(photosOfStrip(photos.toReversed()))).toEqual([1, 3, 5, 7, 9, 11, 13]);
});

test("the strip begins in the order that the managers arranged", () => {
  const photos = [photo(1), photo(2, { position: 2 }), photo(3, { position: 1 })];
  expect(ids(photosOfStrip(photos))).toEqual([3, 2, 1]);
});

test("a memory with two photos beside the cover has no strip", () => {
  expect(photosOfStrip([photo(1), photo(2), photo(3, { is_cover: true })])).toEqual([]);
});
