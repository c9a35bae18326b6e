import { expect, test } from "vitest";
import type { Photo } from "../../../media/media.queries.ts";
import { photoGroups } from "./photo-groups.ts";

const taken = (id: string, taken_at: string | null) => ({ id, taken_at }) as Photo;

test("photos of one day stand together, those without a date in a group of their own", () => {
  const groups = photoGroups([
    taken("a", "2019-05-04T08:00:00"),
    taken("b", "2019-05-04T23:59:59"),
    taken("c", "2019-05-05T00:00:00"),
    taken("d", null),
  ]);
  expect(groups.map(({ day, photos }) => [day, photos.map(({ id }) => id)])).toEqual([
    ["2019-05-04", ["a", "b"]],
    ["2019-05-05", ["c"]],
    [undefined, ["d"]],
  ]);
});

test("no photos make no groups", () => {
  expect(photoGroups([])).toEqual([]);
});
