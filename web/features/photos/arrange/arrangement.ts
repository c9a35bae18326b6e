import type { Photo } from "../../../data/photo.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";
import type { Box } from "../gallery/justified-layout.ts";

/** A new order: positions for the optimistic update, and arguments for the server. */
export interface Arrangement {
  /** Changed positions by photo id. */
  positions: ReadonlyMap<string, number | null>;
  /**
   * All ids in order if some photos have no position yet, otherwise the moved ids and the id of their successor. To undo
   * an arrangement, the former positions and order, and the positions that must still stand.
   */
  call: { all: string[] } | { ids: string[]; before: string | null } | { restored: Restored };
}

interface Restored {
  ids: string[];
  positions: (number | null)[];
  expected: (number | null)[];
  media_order: PhotoOrder;
}

/** Returns the undo of an arrangement of these photos, which were shown in this order. */
export function undone(
  { positions }: Arrangement,
  before: readonly Pick<Photo, "id" | "position">[],
  media_order: PhotoOrder,
): Arrangement {
  const former = new Map(before.filter(({ id }) => positions.has(id)).map(({ id, position }) => [id, position]));
  const ids = [...former.keys()];
  const expected = ids.map((id) => positions.get(id) ?? null);
  return { positions: former, call: { restored: { ids, positions: [...former.values()], expected, media_order } } };
}

/**
 * Returns the arrangement after moving photos before the photo at index `gap`, or to the end if `gap` is the number of
 * photos. Moved photos keep their relative order. If all photos have positions, only the moved photos get new ones.
 * Returns undefined if nothing changes.
 */
export function arrangement(
  photos: readonly Pick<Photo, "id" | "position">[],
  moving: ReadonlySet<string>,
  gap: number,
): Arrangement | undefined {
  const movedPhotos = photos.filter(({ id }) => moving.has(id));
  const head = photos.slice(0, gap).filter(({ id }) => !moving.has(id));
  const tail = photos.slice(gap).filter(({ id }) => !moving.has(id));
  const order = [...head, ...movedPhotos, ...tail];
  const placed = photos.every(({ position }) => position !== null);
  if (order.every(({ id }, index) => id === photos[index]?.id)) return undefined;

  if (!placed) {
    const all = order.map(({ id }) => id);
    return { positions: new Map(all.map((id, index) => [id, index + 1])), call: { all } };
  }
  // The database function `move_media` computes the same numbers.
  const [below, above] = [head.at(-1)?.position ?? undefined, tail[0]?.position ?? undefined];
  const upper = above ?? (below ?? 0) + movedPhotos.length + 1;
  const lower = below ?? upper - movedPhotos.length - 1;
  const step = (upper - lower) / (movedPhotos.length + 1);
  return {
    positions: new Map(movedPhotos.map(({ id }, index) => [id, lower + step * (index + 1)])),
    call: { ids: movedPhotos.map(({ id }) => id), before: tail[0]?.id ?? null },
  };
}

/** The gap before the photo at `index`. With `atEnd`, its mark is drawn after the previous photo. */
export interface Gap {
  index: number;
  atEnd: boolean;
}

/** Half of the space between two photos, in CSS pixels. */
const HALF = 4;
const MARK_WIDTH = 4;

/** Returns the gap nearest to a point. */
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

export function markOf({ index, atEnd }: Gap, boxes: readonly Box[]): Box | undefined {
  const next = boxes[index];
  const last = boxes[index - 1];
  if ((atEnd || !next) && last) {
    return { ...last, left: last.left + last.width + HALF - MARK_WIDTH / 2, width: MARK_WIDTH };
  }
  return next && { ...next, left: next.left - HALF - MARK_WIDTH / 2, width: MARK_WIDTH };
}
