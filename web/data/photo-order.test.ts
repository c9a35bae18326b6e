import { expect, test } from "vitest";
import type { Photo } from "./media.queries.ts";
import { inOrder, type PhotoOrder } from "./photo-order.ts";

const photo = (id: string, taken_at: string | null, position: number | null, hour: number) =>
  ({ id, taken_at, position, created_at: `2026-11-20T${hour}:00:00+00:00` }) as Photo;
const photos = [
  photo("a", "2019-05-04T08:00:00", null, 10),
  photo("b", null, 1.5, 11),
  photo("c", "1998-05-12T08:00:00", 1, 12),
  photo("d", "1998-05-12T08:00:00", null, 13),
];

test.each<[PhotoOrder, string]>([
  ["taken", "cdab"],
  ["newest", "adcb"],
  ["added", "dcba"],
  ["arranged", "cbda"],
])("photos sort by %s, and photos without that value come last", (order, ids) => {
  const ordered = (photos: Photo[]) => inOrder(photos, order).map(({ id }) => id);
  expect(ordered(photos).join("")).toBe(ids);
  expect(ordered(photos.toReversed()).join("")).toBe(ids);
});
