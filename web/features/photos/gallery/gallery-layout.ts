import { type ApproximateDate, coarseDate } from "../../../../shared/approximate-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";
import { type Box, justifiedLayout, usableRatio } from "./justified-layout.ts";

const GAP = 8;
const GROUP_GAP = 20;
const SHELF_GAP = 24;
const TITLE_HEIGHT = 36;

/** A group with its position. Its boxes are relative to the gallery's top left. */
export interface PlacedGroup extends PhotoGroup {
  left: number;
  top: number;
  width: number;
  height: number;
  boxes: Box[];
  /** The number of photos before the group. */
  before: number;
}

export interface GalleryLayout {
  groups: PlacedGroup[];
  /** The boxes of all photos in order, relative to the gallery's top left. */
  boxes: Box[];
  height: number;
  /** The height of the groups' titles; 0 without titles. */
  titleHeight: number;
}

/** Returns the row heights for a gallery width. On phones the limit is higher, so a single photo can fill the width. */
const heightsFor = (width: number) =>
  width < 480 ? { rowHeight: 150, tallest: 2 } : { rowHeight: width < 900 ? 200 : 260, tallest: 1.45 };

/** Computes the positions of all photos for a gallery that is `width` CSS pixels wide, before rendering. */
export function galleryLayout(photos: readonly Photo[], order: PhotoOrder, width: number): GalleryLayout {
  const grouped = photoGroups(photos, order);
  // A single group without a date needs no title.
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
    let x = 0;
    const height = shelf.height + titleHeight;
    for (const placed of shelf.groups) {
      const { date, photos: grouped } = placed.group;
      const boxes = placed.boxes.map((box) => ({ ...box, left: box.left + x, top: box.top + top + titleHeight }));
      groups.push({ date, photos: grouped, left: x, top, width: placed.width, height, boxes, before });
      x += placed.width + GROUP_GAP;
      before += grouped.length;
    }
    top += height + SHELF_GAP;
  }
  return { groups, boxes: groups.flatMap(({ boxes }) => boxes), height: Math.max(0, top - SHELF_GAP), titleHeight };
}

/** Returns whether a box lies, at least partly, between two vertical positions. */
export const isBetween = ({ top, height }: { top: number; height: number }, from: number, to: number) =>
  top < to && top + height > from;

/** Photos with a common title. */
interface PhotoGroup {
  /** A day, month, year or less precise date. Undefined if the photos have no date or are not grouped. */
  date: ApproximateDate | undefined;
  photos: Photo[];
}

/** Maximum number of different titles; above it, the next coarser precision is used. */
const MANY = 36;

/**
 * Groups photos by the date that the order uses: by day if there are few days, otherwise by month or year. Less precise
 * dates are separate groups. Manually arranged photos are one group.
 */
export function photoGroups(photos: readonly Photo[], order: PhotoOrder): PhotoGroup[] {
  if (order === "arranged") return photos.length > 0 ? [{ date: undefined, photos: [...photos] }] : [];
  const dates = photos.map((photo) => (order === "added" ? localDay(photo.created_at) : photo.taken_at));
  const coarse = (to: "day" | "month" | "year") => dates.map((date) => (date ? coarseDate(date, to) : undefined));
  const titles = (["day", "month"] as const).map(coarse).find((dates) => new Set(dates).size <= MANY) ?? coarse("year");
  const groups: PhotoGroup[] = [];
  photos.forEach((photo, index) => {
    const date = titles[index];
    const last = groups.at(-1);
    if (last && last.date === date) last.photos.push(photo);
    else groups.push({ date, photos: [photo] });
  });
  return groups;
}

/** Returns the day of upload in the reader's time zone. Unlike a camera's time, an upload time has a time zone. */
function localDay(moment: string): string {
  const date = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A group of photos, described by their aspect ratios (width / height). */
interface Measured {
  ratios: readonly number[];
}

interface Placed<Group> {
  group: Group;
  width: number;
  /** Boxes of the photos, relative to the group's top left. */
  boxes: Box[];
}

/** A row of groups whose photos have the same height, or one group of several rows. */
export interface Shelf<Group> {
  groups: Placed<Group>[];
  height: number;
}

interface ShelfOptions {
  /** Width of the gallery, CSS pixels. */
  width: number;
  rowHeight: number;
  /** Space between photos. */
  gap: number;
  /** Space between groups on one shelf. */
  groupGap: number;
  /**
   * Limits of a shared shelf's height, relative to `rowHeight`: it grows up to `tallest` to fill the width, and shrinks
   * down to `shortest` to fit another group.
   */
  tallest: number;
  shortest: number;
}

/**
 * Lays groups out on shelves. Small groups share a shelf, which is justified to the full width if they fill it. A
 * larger group has a separate shelf of several rows. So a year with one photo a day fills a page instead of 365 rows.
 */
export function photoShelves<Group extends Measured>(groups: readonly Group[], options: ShelfOptions): Shelf<Group>[] {
  const { width, rowHeight, gap, groupGap, shortest } = options;
  const shelves: Shelf<Group>[] = [];
  let open: Group[] = [];
  const widthAt = (group: Group, height: number) => sum(group.ratios) * height + gap * (group.ratios.length - 1);
  const openWidth = () => sum(open.map((group) => widthAt(group, rowHeight))) + groupGap * (open.length - 1);

  const close = () => {
    if (open.length > 0) shelves.push(sharedShelf(open, options));
    open = [];
  };
  for (const group of groups) {
    const own = widthAt(group, rowHeight);
    if (own > width) {
      close();
      const { boxes, height } = justifiedLayout(group.ratios, { width, rowHeight, gap });
      shelves.push({ groups: [{ group, width, boxes }], height });
      continue;
    }
    if (open.length > 0 && openWidth() + groupGap + own > width) {
      const isRoom = fillingHeight([...open, group], options) >= rowHeight * shortest;
      if (!isRoom) close();
    }
    open.push(group);
  }
  close();
  return shelves;
}

/** Returns the height at which groups side by side fill the width. */
function fillingHeight(groups: readonly Measured[], { width, gap, groupGap }: ShelfOptions): number {
  const gaps = groupGap * (groups.length - 1) + gap * sum(groups.map((group) => group.ratios.length - 1));
  return (width - gaps) / sum(groups.flatMap((group) => group.ratios));
}

function sharedShelf<Group extends Measured>(groups: Group[], options: ShelfOptions) {
  const { width, rowHeight, gap, groupGap, tallest } = options;
  const filling = fillingHeight(groups, options);
  const fills = filling <= rowHeight * tallest;
  const height = Math.round(fills ? filling : rowHeight);
  let room = width;
  const placed = groups.map((group, at): Placed<Group> => {
    let x = 0;
    const boxes = group.ratios.map((ratio, index) => {
      const isLast = fills && at === groups.length - 1 && index === group.ratios.length - 1;
      // The last photo absorbs rounding errors, so that the shelf ends exactly at the edge.
      const box = { left: x, top: 0, width: isLast ? room - x : Math.max(1, Math.floor(ratio * height)), height };
      x += box.width + gap;
      return box;
    });
    const own = x - gap;
    room -= own + groupGap;
    return { group, width: own, boxes };
  });
  return { groups: placed, height };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
