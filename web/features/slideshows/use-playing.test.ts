import { expect, test } from "vitest";
import type { Photo } from "../../data/media.queries.ts";
import { photosOf } from "../../data/slideshows.queries.ts";
import { placeOf } from "./use-playing.ts";

const photo = (id: string, row: Partial<Photo> = {}) => ({ id, type: "image", state: "ready", ...row }) as Photo;
const all = [photo("a"), photo("b"), photo("c")];

test.each([
  ["its own place", all, "b", 1, 1],
  ["the one that followed a hidden photo", [all[0], all[2]], "b", 1, 1],
  ["the first, after the last was hidden", [all[0], all[1]], "c", 2, 0],
  ["the first of none", [], "a", 0, 0],
])("a slideshow goes on at %s", (_what, photos, id, at, place) => {
  expect(placeOf(photos as Photo[], { id, at })).toBe(place);
});

test("a slideshow shows photos that are prepared, in its order, and leaves out all others", () => {
  const media = [...all, photo("film", { type: "video" }), photo("new", { state: "waiting" })];
  expect(photosOf({ pictures: ["c", "gone", "film", "new", "a"] }, media).map(({ id }) => id)).toEqual(["c", "a"]);
});
