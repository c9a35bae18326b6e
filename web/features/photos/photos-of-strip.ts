import type { Photo } from "../../data/photo.ts";
import { inOrder } from "../../data/photo-order.ts";

const MOST = 7;
/** So many of them a phone has room for. */
export const ON_PHONES = 4;
/** As in HTML: how wide each is shown. */
export const STRIP_SIZES = "(min-width: 64rem) 12rem, 30vw";
/** Fewer photos are no strip. */
export const LEAST = 3;

/**
 * The photos that a strip shows: the first of those that the managers have put in order, otherwise some from the whole of
 * the time. The cover already is above them.
 */
export function photosOfStrip(photos: readonly Photo[]): readonly Photo[] {
  const shown = photos.filter(({ is_cover, state }) => !is_cover && state !== "broken");
  if (shown.length < LEAST) return [];
  if (shown.some(({ position }) => position !== null)) return inOrder(shown, "arranged").slice(0, MOST);
  const ordered = inOrder(shown, "taken");
  const count = Math.min(MOST, ordered.length);
  return Array.from({ length: count }, (_, index) => ordered[Math.floor((index * ordered.length) / count)]).flatMap(
    (photo) => photo ?? [],
  );
}
