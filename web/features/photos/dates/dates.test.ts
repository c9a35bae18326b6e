import { expect, test } from "vitest";
import type { Photo } from "../../../data/photo.ts";
import { datesFor, datesOf } from "../photos.queries.ts";

const photo = (id: string, taken_at: string | null, taken_source: Photo["taken_source"] = "exif") =>
  ({ id, taken_at, taken_source }) as Photo;
const photos = [photo("a", "2001-01-01T10:11:12"), photo("b", "2024-07-14", "name"), photo("c", null, null)];
const dates = (date: string | null) => [...datesFor(photos, date)].map(([id, { taken_at }]) => [id, taken_at]);

test("photos that are given a day keep their time of day and their order", () => {
  expect(dates("1962-07-14")).toEqual([
    ["a", "1962-07-14T10:11:12"],
    ["b", "1962-07-14"],
    ["c", "1962-07-14"],
  ]);
});

test.each(["1962-07", "1962~", "1962-07-14~", "196X", null])("photos that are given %s have no time of day", (date) => {
  expect(dates(date)).toEqual(["a", "b", "c"].map((id) => [id, date]));
});

test("undo restores each photo's date and its source", () => {
  expect(datesOf(photos).get("b")).toEqual({ taken_at: "2024-07-14", taken_source: "name" });
});
