import { expect, test } from "vitest";
import type { Photo } from "../../../data/photo.ts";
import { filterPhotos, usefulFilters, yearsOf } from "./photo-filter.ts";

const photo = (id: string, values: Partial<Photo> = {}) =>
  ({ id, type: "image", taken_at: "1974-06-01", user_id: "ada", ...values }) as Photo;
const photos = [
  photo("a"),
  photo("b", { type: "video", user_id: "bob" }),
  photo("c", { taken_at: null }),
  photo("d"),
  photo("e", { pages: 3, user_id: "bob" }),
];
const ids = (list: readonly Photo[]) => list.map(({ id }) => id).join("");
const context = {
  counts: new Map([
    ["b", 1],
    ["d", 3],
    ["c", 1],
  ]),
  mine: new Map([["c", true]]),
  questions: new Map([["a", true]]),
  userId: "ada",
};

test("a filter shows its photos in their order, and the most loved ones first", () => {
  const idsFor = (filter: Parameters<typeof filterPhotos>[1]) => ids(filterPhotos(photos, filter, context));
  expect(idsFor("all")).toBe("abcde");
  expect(idsFor("photos")).toBe("acd");
  expect(idsFor("videos")).toBe("b");
  expect(idsFor("papers")).toBe("e");
  expect(idsFor("undated")).toBe("c");
  expect(idsFor("added")).toBe("acd");
  expect(idsFor("mine")).toBe("c");
  expect(idsFor("loved")).toBe("dbc");
  expect(idsFor("who")).toBe("a");
});

test("only filters that leave something out are offered, and none to a visitor without a use for them", () => {
  expect(usefulFilters(photos, context)).toEqual([
    "all",
    "photos",
    "videos",
    "papers",
    "undated",
    "added",
    "mine",
    "loved",
    "who",
  ]);
  const none = { counts: new Map(), mine: new Map(), questions: new Map(), userId: undefined };
  expect(usefulFilters([photo("a"), photo("d")], none)).toEqual([]);
  expect(usefulFilters([photo("a"), photo("d")], { ...none, counts: new Map([["a", 1]]) })).toEqual(["all", "loved"]);
});

test("many photos lead to the first one of each year, also of approximate dates", () => {
  const dates = ["1950~", "1962-22", "1962-07-14", "196X", null, "1974-06-01T10:00:00"];
  const many = Array.from({ length: 60 }, (_, index) => photo(String(index), { taken_at: dates[index % 6] ?? null }));
  expect(yearsOf(many).map(({ year, photo: { id } }) => `${year} ${id}`)).toEqual(["1950 0", "1962 1", "1974 5"]);
  expect(yearsOf(many.slice(0, 12))).toEqual([]);
});
