import type { Photo } from "../../data/photo.ts";
import { inOrder } from "../../data/photo-order.ts";

const MOST = 7;
/** Number of photos that fit on a phone. */
export const ON_PHONES = 4;
/** The `sizes` attribute of the strip's photos. */
export const STRIP_SIZES = "(min-width: 64rem) 12rem, 30vw";
/** Minimum number of photos; with fewer there is no strip. */
export const LEAST = 3;

/**
 * Returns the photos of the strip: the first ones if managers arranged them, otherwise a selection spread over all
 * photos by date. Excludes recordings, and the cover, which is shown above the strip.
 */
export function photosOfStrip(photos: readonly Photo[]): readonly Photo[] {
  const visible = photos.filter(({ is_cover, state, type }) => !is_cover && state !== "broken" && type !== "audio");
  if (visible.length < LEAST) return [];
  if (visible.some(({ position }) => position !== null)) return inOrder(visible, "arranged").slice(0, MOST);
  const ordered = inOrder(visible, "taken");
  const count = Math.min(MOST, ordered.length);
  return Array.from({ length: count }, (_, index) => ordered[Math.floor((index * ordered.length) / count)]).flatMap(
    (photo) => photo ?? [],
  );
}
