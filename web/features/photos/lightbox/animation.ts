import type { Photo } from "../../../data/media.queries.ts";
import { RENDITION_WIDTHS, renditionSrcSet, renditionUrl } from "../../../lib/request/rendition-url.ts";

/** The narrowest rendition of an animation that moves; narrower ones show its first frame. */
const NARROWEST_MOVING = 1600;

export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The `srcset` of an open photo; of one that can move, the renditions that do or do not. */
export function lightboxSrcSet(picture: string, photo: Pick<Photo, "animated" | "width">, moves: boolean): string {
  if (!photo.animated) return renditionSrcSet(picture, photo.width);
  const widths = RENDITION_WIDTHS.filter((width) => width >= NARROWEST_MOVING === moves);
  return widths.map((width) => `${renditionUrl(picture, width)} ${width}w`).join(", ");
}
