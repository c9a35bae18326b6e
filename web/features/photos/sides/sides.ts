import type { Photo } from "../../../data/photo.ts";

/** The fronts and backs of prints, at the same places of both lists. */
export interface Sides {
  fronts: string[];
  backs: string[];
}

/** Whether a photo may be a side of a print, as far as the page knows. The server decides. */
const mayBeSide = ({ type, pages, state, has_back, has_raw }: Photo) =>
  type === "image" && pages === null && state === "ready" && !has_back && !has_raw;

/** Pairs photos in their order: front, back, front, back. Undefined if they cannot be paired. */
export function sidesInOrder(photos: readonly Photo[]): Sides | undefined {
  if (photos.length === 0 || photos.length % 2 === 1 || !photos.every(mayBeSide)) return undefined;
  const ids = photos.map(({ id }) => id);
  return { fronts: ids.filter((_, place) => place % 2 === 0), backs: ids.filter((_, place) => place % 2 === 1) };
}

/** The ids of photos that all have a back; undefined if one has none. */
export const prints = (photos: readonly Photo[]): string[] | undefined =>
  photos.length > 0 && photos.every(({ has_back }) => has_back) ? photos.map(({ id }) => id) : undefined;
