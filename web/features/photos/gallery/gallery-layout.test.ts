import fc from "fast-check";
import { expect, test } from "vitest";
import type { Photo } from "../../../data/media.queries.ts";
import { inOrder } from "../../../data/photo-order.ts";
import { galleryLayout, isBetween, photoGroups, photoShelves, type Shelf } from "./gallery-layout.ts";

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

test("every photo has one box inside the gallery, in order and without overlap", () => {
  const { boxes, height } = galleryLayout(photos, "taken", 1200);
  expect(boxes).toHaveLength(60);
  boxes.forEach((box, index) => {
    expect(box.left + box.width).toBeLessThanOrEqual(1200);
    expect(box.top + box.height).toBeLessThanOrEqual(height);
    const next = boxes[index + 1];
    if (next) expect(next.top > box.top || next.left >= box.left + box.width).toBe(true);
  });
});

test("groups have space for their titles, and undated photos have no title", () => {
  const dated = galleryLayout(photos, "taken", 1200);
  expect(dated.groups.map(({ date, before }) => [date, before])).toEqual([
    ["2019-01-01", 0],
    ["2019-02-01", 20],
    ["2019-03-01", 40],
  ]);
  for (const group of dated.groups) expect(group.boxes[0]?.top).toBe(group.top + dated.titleHeight);
  expect(galleryLayout(photos, "arranged", 1200).titleHeight).toBe(0);
});

test("nothing is laid out before the width is known", () => {
  expect(galleryLayout(photos, "taken", 0)).toMatchObject({ groups: [], height: 0 });
});

test("a box that only touches the window is not in it", () => {
  const box = { top: 100, height: 50 };
  expect([isBetween(box, 150, 300), isBetween(box, 0, 100), isBetween(box, 149, 300)]).toEqual([false, false, true]);
});

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

test("a less exact date has its own title, before the exact dates within it", () => {
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

test("a gallery arranged by its managers is not grouped by date", () => {
  expect(photoGroups([taken("a", "2019-05-04T08:00:00"), taken("b", null)], "arranged")).toHaveLength(1);
});

test("photos sorted by the day they were added are grouped in the reader's time zone", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  expect(photoGroups([taken("a", null)], "added")[0]?.date).toBe("2026-11-21");
  process.env.TZ = zone;
});

test("no photos make no groups", () => {
  for (const order of ["taken", "arranged"] as const) expect(photoGroups([], order)).toEqual([]);
});

const options = { width: 1200, rowHeight: 240, gap: 8, groupGap: 24, tallest: 1.4, shortest: 0.75 };
const group = (...ratios: number[]) => ({ ratios });

const extent = ({ groups }: Shelf<unknown>) =>
  groups.reduce((total, { width }) => total + width, 0) + options.groupGap * (groups.length - 1);

test("days with one photo each share a row that reaches both edges", () => {
  const [shelf, ...more] = photoShelves([group(1.5), group(1.4), group(1.6)], options);
  expect(more).toEqual([]);
  expect(shelf?.groups).toHaveLength(3);
  expect(extent(shelf as Shelf<unknown>)).toBe(1200);
});

test("on a phone two days with one landscape photo each share a slightly smaller row", () => {
  const phone = { ...options, width: 336, rowHeight: 150, groupGap: 20 };
  const shelves = photoShelves([group(4 / 3), group(4 / 3), group(4 / 3)], phone);
  expect(shelves.map(({ groups }) => groups.length)).toEqual([2, 1]);
  expect(shelves[0]?.height).toBeGreaterThanOrEqual(150 * 0.75);
  expect(shelves[0]?.height).toBeLessThan(150);
});

test("a single photo is not enlarged to fill the page", () => {
  const [shelf] = photoShelves([group(1)], options);
  expect(shelf?.height).toBe(240);
  expect(shelf?.groups[0]?.width).toBe(240);
});

test("a full day has rows of its own between the others", () => {
  const many = group(...Array<number>(12).fill(1.5));
  const shelves = photoShelves([group(1.5), many, group(1)], options);
  expect(shelves.map(({ groups }) => groups.map((placed) => placed.boxes.length))).toEqual([[1], [12], [1]]);
});

test("every photo of any gallery has a box, in order and inside the page", () => {
  const ratios = fc.array(fc.double({ min: 0.4, max: 3.5, noNaN: true }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(ratios, { maxLength: 20 }), fc.integer({ min: 300, max: 2000 }), (list, width) => {
      const groups = list.map((one) => group(...one));
      const shelves = photoShelves(groups, { ...options, width });
      expect(shelves.flatMap((shelf) => shelf.groups.map((placed) => placed.group))).toEqual(groups);
      for (const shelf of shelves) {
        expect(extent(shelf)).toBeLessThanOrEqual(width);
        for (const placed of shelf.groups) {
          expect(placed.boxes).toHaveLength(placed.group.ratios.length);
          for (const box of placed.boxes) {
            expect(box.width).toBeGreaterThan(0);
            expect(box.left + box.width).toBeLessThanOrEqual(placed.width);
            expect(box.top + box.height).toBeLessThanOrEqual(shelf.height);
          }
        }
      }
    }),
  );
});
