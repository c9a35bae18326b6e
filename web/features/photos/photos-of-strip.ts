import type { Photo } from "../../data/photo.ts";
import { inOrder } from "../../data/photo-order.ts";

const MOST = 7;
/** The number that fits on a phone. */
export const ON_PHONES = 4;
/** The `sizes` attribute. */
export const STRIP_SIZES = "(min-width: 64rem) 12rem, 30vw";
/** With fewer photos there is no strip. */
export const LEAST = 3;

/**
 * The photos of a strip: the first ones if managers arranged them, otherwise a selection over the whole time. Excludes
 * the cover, which is above.
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
