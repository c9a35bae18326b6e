import type { Photo } from "../../../data/media.queries.ts";
import { animationSrcSet, renditionSrcSet } from "../../../lib/request/rendition-url.ts";

export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The `srcset` of an open photo; of one that can move, the renditions that do or do not. */
export const lightboxSrcSet = (picture: string, photo: Pick<Photo, "animated" | "width">, moves: boolean): string =>
  photo.animated ? animationSrcSet(picture, moves) : renditionSrcSet(picture, photo.width);
