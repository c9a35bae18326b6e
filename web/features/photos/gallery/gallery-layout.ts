import type { Photo } from "../../../data/media.queries.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";
import { type Box, usableRatio } from "./justified-layout.ts";
import { type PhotoGroup, photoGroups } from "./photo-groups.ts";
import { photoShelves } from "./photo-shelves.ts";

const GAP = 8;
const GROUP_GAP = 20;
const SHELF_GAP = 24;
const TITLE_HEIGHT = 36;

/** A group at its place in the gallery; its photos' boxes count from the gallery's top left. */
export interface PlacedGroup extends PhotoGroup {
  left: number;
  top: number;
  width: number;
  height: number;
  boxes: Box[];
  /** How many of the gallery's photos come before. */
  before: number;
}

export interface GalleryLayout {
  groups: PlacedGroup[];
  /** One for each photo, in their order, from the gallery's top left. */
  boxes: Box[];
  height: number;
  /** Of the titles over the groups; 0 where there are none. */
  titleHeight: number;
}

/** On a phone a lone photo may be as wide as the page. */
const heightsFor = (width: number) =>
  width < 480 ? { rowHeight: 150, tallest: 2 } : { rowHeight: width < 900 ? 200 : 260, tallest: 1.45 };

/** Where every photo of a gallery `width` CSS pixels wide stands, before any of them is drawn. */
export function galleryLayout(photos: readonly Photo[], order: PhotoOrder, width: number): GalleryLayout {
  const grouped = photoGroups(photos, order);
  // A lone group without a date needs no title to tell it from others.
  const titleHeight = grouped.some(({ date }) => date) ? TITLE_HEIGHT : 0;
  if (width <= 0) return { groups: [], boxes: [], height: 0, titleHeight };

  const measured = grouped.map((group) => ({
    ...group,
    ratios: group.photos.map((photo) => usableRatio(photo.width, photo.height)),
  }));
  const shelves = photoShelves(measured, {
    width,
    ...heightsFor(width),
    shortest: 0.75,
    gap: GAP,
    groupGap: GROUP_GAP,
  });
  const groups: PlacedGroup[] = [];
  let top = 0;
  let before = 0;
  for (const shelf of shelves) {
    let left = 0;
    const height = shelf.height + titleHeight;
    for (const placed of shelf.groups) {
      const { date, photos: grouped } = placed.group;
      const boxes = placed.boxes.map((box) => ({ ...box, left: box.left + left, top: box.top + top + titleHeight }));
      groups.push({ date, photos: grouped, left, top, width: placed.width, height, boxes, before });
      left += placed.width + GROUP_GAP;
      before += grouped.length;
    }
    top += height + SHELF_GAP;
  }
  return { groups, boxes: groups.flatMap(({ boxes }) => boxes), height: Math.max(0, top - SHELF_GAP), titleHeight };
}

/** Whether a box lies, in part at least, between two heights. */
export const isBetween = ({ top, height }: { top: number; height: number }, from: number, to: number) =>
  top < to && top + height > from;
