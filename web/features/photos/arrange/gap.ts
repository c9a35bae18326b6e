import type { Box } from "../gallery/justified-layout.ts";

/** A place between two photos: before the one at `index`, drawn at the end of the row above where `atEnd` says so. */
export interface Gap {
  index: number;
  atEnd: boolean;
}

/** Half of the space between two photos. */
const HALF = 4;
export const MARK_WIDTH = 4;

/** The gap nearest to a point of the gallery. */
export function gapAt(point: { x: number; y: number }, boxes: readonly Box[]): Gap {
  const rowAway = (box: Box) => Math.max(box.top - point.y, point.y - box.top - box.height, 0);
  const columnAway = (box: Box) => Math.max(box.left - point.x, point.x - box.left - box.width, 0);
  let best = 0;
  boxes.forEach((box, index) => {
    const nearest = boxes[best];
    if (!nearest) return;
    const closer = rowAway(box) - rowAway(nearest) || columnAway(box) - columnAway(nearest);
    if (closer < 0) best = index;
  });
  const box = boxes[best];
  if (!box) return { index: 0, atEnd: false };
  const after = point.x > box.left + box.width / 2;
  return { index: after ? best + 1 : best, atEnd: after };
}

/** Where the mark of a gap is drawn. */
export function markOf({ index, atEnd }: Gap, boxes: readonly Box[]): Box | undefined {
  const next = boxes[index];
  const last = boxes[index - 1];
  if ((atEnd || !next) && last) {
    return { ...last, left: last.left + last.width + HALF - MARK_WIDTH / 2, width: MARK_WIDTH };
  }
  return next && { ...next, left: next.left - HALF - MARK_WIDTH / 2, width: MARK_WIDTH };
}
