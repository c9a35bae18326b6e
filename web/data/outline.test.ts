import { expect, test } from "vitest";
import { usefulFilters } from "../features/photos/filter/photo-filter.ts";
import { outlinedPhotos, withRows } from "./outline.queries.ts";
import { type Photo, withChanges } from "./photo.ts";
import { inOrder } from "./photo-order.ts";

const MEMORY = "00000000-0000-4000-8000-000000000000";
const outline = {
  keys: "aaaaaaaabbbbbbbbcccccccccccccccc",
  kinds: "ivpi",
  colours: "1a2---fffabc",
  ratios: [1.5, null, 0.75, 1],
  dates: ["1974-05", "1974-05-06", null, null],
  cover: "bbbbbbbb",
};
const photos = () => outlinedPhotos(outline, MEMORY, "newest");

/** A loaded photo whose id begins with this key. */
const rowOf = (key: string, last = 1): Photo => ({
  ...(photos()[0] as Photo),
  id: `${key}-0000-4000-8000-00000000000${last}`,
  caption: "Loaded",
  rank: undefined,
  outlined: undefined,
});

test("an outline gives each photo its kind, shape, colour, date and place", () => {
  expect(photos()).toMatchObject([
    { id: "aaaaaaaa", type: "image", width: 1500, height: 1000, colour: "#11aa22", taken_at: "1974-05" },
    { id: "bbbbbbbb", type: "video", width: null, height: null, colour: null, is_cover: true },
    { id: "cccccccc", type: "image", pages: 1, width: 750, taken_at: null },
    { id: "cccccccc~1", type: "image", pages: null, rank: { order: "newest", place: 3 }, outlined: true },
  ]);
  const added = outlinedPhotos({ ...outline, dates: Array(4).fill("2026-11-01T09:30Z") }, MEMORY, "added");
  expect(added[0]).toMatchObject({ taken_at: null, created_at: "2026-11-01T09:30Z" });
});

test("rows take the places of their outlines, also those of ids that begin alike, and missing ones disappear", () => {
  const loaded = withRows(photos(), new Set(["aaaaaaaa", "cccccccc"]), [rowOf("cccccccc"), rowOf("cccccccc", 2)]);
  expect(loaded.map(({ id, caption, rank }) => [id.slice(0, 8), caption, rank?.place])).toEqual([
    ["bbbbbbbb", "", 1],
    ["cccccccc", "Loaded", 2],
    ["cccccccc", "Loaded", 3],
  ]);
  expect(inOrder(loaded.toReversed(), "newest")).toEqual(loaded);
  // Once more, as if two requests had been answered.
  expect(withRows(loaded, new Set(["cccccccc"]), [rowOf("cccccccc")])).toEqual(loaded);
});

test("changes remove outlined photos that are gone, and leave the others to be loaded", () => {
  const change = (event: "INSERT" | "UPDATE" | "DELETE", key: string, more = {}) => ({
    event,
    table: "media",
    row: { ...rowOf(key), memory_id: MEMORY, moderation: "shown", ...more },
  });
  const ids = (changes: ReturnType<typeof change>[]) =>
    withChanges(photos(), MEMORY, changes).map(({ id, outlined }) => `${id.slice(0, 8)} ${outlined ?? false}`);
  const others = ["cccccccc true", "cccccccc true"];
  expect(ids([change("DELETE", "aaaaaaaa"), change("UPDATE", "bbbbbbbb", { moderation: "hidden" })])).toEqual(others);
  expect(ids([change("UPDATE", "aaaaaaaa")])).toEqual(["aaaaaaaa true", "bbbbbbbb true", ...others]);
  expect(ids([change("INSERT", "aaaaaaaa")])).toEqual(["bbbbbbbb true", ...others, "aaaaaaaa false"]);
  expect(ids([change("INSERT", "dddddddd")])).toHaveLength(5);
});

test("filters that need rows are offered before they are loaded, if they may show something", () => {
  const context = { counts: new Map([["x", 1]]), mine: new Map(), questions: new Map(), userId: "ada" };
  expect(usefulFilters(photos(), context)).toEqual(["all", "photos", "videos", "papers", "undated", "added", "loved"]);
});
