import { dateOrder } from "../../shared/approximate-date.ts";
import type { Photo } from "./photo.ts";

/** `memories.media_order`: by date ascending or descending, by time of upload, or as arranged by managers. */
export const PHOTO_ORDERS = ["taken", "newest", "added", "arranged"] as const;
export type PhotoOrder = (typeof PHOTO_ORDERS)[number];

type Compare = (a: Photo, b: Photo) => number;

/** Photos without a date come last in either direction. */
const byMaybe =
  <Value extends string | number>(value: (photo: Photo) => Value | null, back = false): Compare =>
  (a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === second) return 0;
    if (first === null) return 1;
    if (second === null) return -1;
    return first < second === back ? 1 : -1;
  };

const then =
  (...compares: Compare[]): Compare =>
  (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };

const byAddedDate = (back = false) =>
  then(
    byMaybe((photo) => photo.created_at, back),
    byMaybe((photo) => photo.id, back),
  );
const byDate = (back = false) =>
  then(
    byMaybe((photo) => dateOrder(photo.taken_at), back),
    byMaybe((photo) => photo.time_order ?? Number.NEGATIVE_INFINITY, back),
    byAddedDate(back),
  );

const COMPARES: Record<PhotoOrder, Compare> = {
  taken: byDate(),
  newest: byDate(true),
  added: byAddedDate(true),
  arranged: then(
    byMaybe((photo) => photo.position),
    byDate(),
  ),
};

/** Sorts photos independently of their order of arrival. */
export const inOrder = (photos: readonly Photo[], order: PhotoOrder): Photo[] =>
  photos.toSorted((a, b) =>
    a.rank?.order === order && b.rank?.order === order ? a.rank.place - b.rank.place : COMPARES[order](a, b),
  );
