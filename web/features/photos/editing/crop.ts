import { type Crop, LEAST_CROP, roundedTo } from "../../../../shared/photo-edit.ts";

/** A corner of the crop, as the directions in which it lies. */
export type Corner = readonly [x: -1 | 1, y: -1 | 1];
export const CORNERS: readonly Corner[] = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));
const written = (crop: number[]): Crop => crop.map((part) => roundedTo(part, 4)) as Crop;

/** The crop inside the frame, as it is stored. */
export function bounded([left, top, width, height]: Crop, least = LEAST_CROP): Crop {
  const [w, h] = [within(roundedTo(width, 4), least, 1), within(roundedTo(height, 4), least, 1)];
  return written([within(left, 0, 1 - w), within(top, 0, 1 - h), w, h]);
}

/** The crop moved by fractions of the frame, as far as it stays inside. */
export const moved = ([left, top, width, height]: Crop, x: number, y: number, least = LEAST_CROP): Crop =>
  bounded([left + x, top + y, width, height], least);

/**
 * The crop with a corner moved by fractions of the frame; the opposite corner stays. `ratio` is the width by the height
 * in fractions of the frame; undefined if it is free.
 */
export function resized(crop: Crop, [cornerX, cornerY]: Corner, x: number, y: number, ratio: number | undefined): Crop {
  const [left, top, width, height] = crop;
  const [right, bottom] = [left + width, top + height];
  const most = { width: cornerX < 0 ? right : 1 - left, height: cornerY < 0 ? bottom : 1 - top };
  let w = within(width + cornerX * x, LEAST_CROP, most.width);
  let h = within(height + cornerY * y, LEAST_CROP, most.height);
  if (ratio !== undefined) {
    // The larger of both movements decides.
    w = Math.abs(x) >= Math.abs(y) ? w : h * ratio;
    w = within(w, Math.max(LEAST_CROP, LEAST_CROP * ratio), Math.min(most.width, most.height * ratio));
    h = w / ratio;
  }
  return bounded([cornerX < 0 ? right - w : left, cornerY < 0 ? bottom - h : top, w, h]);
}

/** The largest crop of this ratio around the middle of another one. */
export function withRatio([left, top, width, height]: Crop, ratio: number): Crop {
  const w = Math.min(1, ratio);
  const h = w / ratio;
  return bounded([left + (width - w) / 2, top + (height - h) / 2, w, h]);
}
