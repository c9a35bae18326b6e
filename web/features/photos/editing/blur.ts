import { type Box, LEAST_BLUR } from "../../../../shared/photo-edit.ts";
import { bounded } from "./crop.ts";

interface Point {
  x: number;
  y: number;
}

/** The part between two points of the picture, as it is stored. */
export const between = (from: Point, to: Point): Box =>
  bounded(
    [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(from.x - to.x), Math.abs(from.y - to.y)],
    LEAST_BLUR,
  );

/** The part with its lower right corner moved by fractions of the picture. */
export const stretched = ([left, top, width, height]: Box, x: number, y: number): Box =>
  bounded([left, top, Math.min(width + x, 1 - left), Math.min(height + y, 1 - top)], LEAST_BLUR);

/** A new part in the middle, for people who do not drag. */
export const inTheMiddle = (ratio: number): Box =>
  between({ x: 0.4, y: 0.5 - 0.1 * ratio }, { x: 0.6, y: 0.5 + 0.1 * ratio });
