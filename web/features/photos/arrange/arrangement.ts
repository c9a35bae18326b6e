import type { Photo } from "../../../data/photo.ts";

/** A new order, as the screen shows it at once and as the server is told of it. */
export interface Arrangement {
  /** The positions that change, by id. */
  positions: ReadonlyMap<string, number>;
  /** All of them in their order where some have no place yet, else only those that move and what they come before. */
  call: { all: string[] } | { ids: string[]; before: string | null };
}

/**
 * Puts some photos, in the order they are shown in, into the gap before the one at `gap` (the number of photos for the
 * end); undefined where that changes nothing. Where all have places, only those that move get others.
 */
export function arrangement(
  shown: readonly Pick<Photo, "id" | "position">[],
  moving: ReadonlySet<string>,
  gap: number,
): Arrangement | undefined {
  const moved = shown.filter(({ id }) => moving.has(id));
  const head = shown.slice(0, gap).filter(({ id }) => !moving.has(id));
  const tail = shown.slice(gap).filter(({ id }) => !moving.has(id));
  const order = [...head, ...moved, ...tail];
  const placed = shown.every(({ position }) => position !== null);
  if (order.every(({ id }, index) => id === shown[index]?.id)) return undefined;

  if (!placed) {
    const all = order.map(({ id }) => id);
    return { positions: new Map(all.map((id, index) => [id, index + 1])), call: { all } };
  }
  // The same numbers as the server finds: see move_media.
  const [below, above] = [head.at(-1)?.position ?? undefined, tail[0]?.position ?? undefined];
  const upper = above ?? (below ?? 0) + moved.length + 1;
  const lower = below ?? upper - moved.length - 1;
  const step = (upper - lower) / (moved.length + 1);
  return {
    positions: new Map(moved.map(({ id }, index) => [id, lower + step * (index + 1)])),
    call: { ids: moved.map(({ id }) => id), before: tail[0]?.id ?? null },
  };
}
