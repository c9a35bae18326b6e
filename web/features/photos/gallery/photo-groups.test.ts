import { expect, test } from "vitest";
import type { Photo } from "../../../data/media.queries.ts";
import { inOrder } from "../../../data/photo-order.ts";
import { photoGroups } from "./photo-groups.ts";

const taken = (id: string, taken_at: string | null) =>
  ({ id, taken_at, created_at: "2026-11-20T10:00:00+00:00" }) as Photo;

test("photos are grouped by the camera's own day, those without one at the end", () => {
  const groups = photoGroups(
    [
      taken("a", "2019-05-04T08:00:00"),
      taken("b", "2019-05-04T23:59:59"),
      taken("c", "2019-05-05T00:00:00"),
      taken("d", null),
    ],
    "taken",
  );
  expect(groups.map(({ date, photos }) => [date, photos.map(({ id }) => id)])).toEqual([
    ["2019-05-04", ["a", "b"]],
    ["2019-05-05", ["c"]],
    [undefined, ["d"]],
  ]);
});

test("what is known less exactly has a title of its own, before what it holds", () => {
  const photos = inOrder(
    [
      taken("a", "1962-07-14T10:00:00"),
      taken("b", "1962~"),
      taken("c", "1962-22"),
      taken("d", "196X"),
      taken("e", "1962"),
      taken("f", null),
      taken("g", "1962-07"),
    ],
    "taken",
  );
  const titles = photoGroups(photos, "taken").map(({ date }) => date);
  expect(titles).toEqual(["196X", "1962", "1962~", "1962-22", "1962-07", "1962-07-14", undefined]);
  expect(inOrder(photos, "newest").map(({ id }) => id)).toEqual(["a", "g", "c", "b", "e", "d", "f"]);
});

test("no title comes twice, however many years and however exactly they are known", () => {
  const forms = ["196X", "1962", "1962~", "1962-22", "1962-07", "1962-07-14", "1962-12-24T18:00:00"];
  const photos = Array.from({ length: 300 }, (_, index) => {
    const form = forms[index % forms.length] ?? "";
    return taken(`p${index}`, form.replace(/^196/, String(150 + Math.floor(index / forms.length))));
  });
  for (const order of ["taken", "newest"] as const) {
    const titles = photoGroups(inOrder(photos, order), order).map(({ date }) => date);
    expect(new Set(titles).size).toBe(titles.length);
  }
});

const each = (count: number, moment: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => taken(`p${index}`, moment(index)));
const two = (number: number) => String(number).padStart(2, "0");

test("many days are grouped by months, and many months by years", () => {
  const daily = each(84, (index) => `2019-${two(1 + Math.floor(index / 28))}-${two(1 + (index % 28))}T08:00:00`);
  expect(photoGroups(daily, "taken").map(({ date }) => date)).toEqual(["2019-01", "2019-02", "2019-03"]);
  const monthly = each(60, (index) => `${1990 + Math.floor(index / 12)}-${two(1 + (index % 12))}-15T08:00:00`);
  expect(photoGroups(inOrder(monthly, "newest"), "newest").map(({ date }) => date)).toEqual([
    "1994",
    "1993",
    "1992",
    "1991",
    "1990",
  ]);
});

test("what its managers arranged is not torn apart by dates", () => {
  expect(photoGroups([taken("a", "2019-05-04T08:00:00"), taken("b", null)], "arranged")).toHaveLength(1);
});

test("by the day they were added, photos stand under the reader's own day", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  expect(photoGroups([taken("a", null)], "added")[0]?.date).toBe("2026-11-21");
  process.env.TZ = zone;
});

test("no photos make no groups", () => {
  for (const order of ["taken", "arranged"] as const) expect(photoGroups([], order)).toEqual([]);
});
