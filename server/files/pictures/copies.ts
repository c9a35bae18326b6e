/** The only widths there are, in pixels: every other one would be a way to fill the disk. */
export const WIDTHS = [320, 640, 960, 1600, 2560] as const;
export type Width = (typeof WIDTHS)[number];
/** A width, or a copy in the original's own size. */
export type CopySize = Width | "full";

export const isWidth = (width: number): width is Width => WIDTHS.some((known) => known === width);

/** AVIF saves a third of the bytes and, above this width, costs more time than it saves anyone. */
const WIDEST_AVIF = 800;

/** The requested format of a copy. A full copy that does not suit WebP is a JPEG. */
export type Format = "webp" | "avif";

/** One copy of a picture. */
export interface Copy {
  size: CopySize;
  format: Format;
}

/**
 * The best format for a picture of this type and size where `accept` allows it. Known without looking at the picture:
 * those that may be animations are never AVIF.
 */
export const formatFor = (mimetype: string, size: CopySize, accept = ""): Format =>
  typeof size === "number" &&
  size <= WIDEST_AVIF &&
  !/gif|webp/.test(mimetype) &&
  /\bimage\/avif\b(?!;\s*q=0(?:\.0*)?\b)/i.test(accept)
    ? "avif"
    : "webp";
