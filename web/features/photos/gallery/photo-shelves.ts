import { type Box, justifiedLayout } from "./justified-layout.ts";

/** A group of photos by their ratios of width to height. */
export interface Measured {
  ratios: readonly number[];
}

export interface Placed<Group> {
  group: Group;
  width: number;
  /** One for each photo, from the top left of the group. */
  boxes: Box[];
}

/** Groups that stand side by side, in photos of one height. */
export interface Shelf<Group> {
  groups: Placed<Group>[];
  height: number;
}

export interface ShelfOptions {
  /** Width of the gallery, CSS pixels. */
  width: number;
  rowHeight: number;
  /** Between photos. */
  gap: number;
  /** Between groups on one shelf. */
  groupGap: number;
  /** How many times the row height a shared shelf may be, to reach both edges, and how little of it, to hold one group more. */
  tallest: number;
  shortest: number;
}

/**
 * Lays groups out on shelves: small ones share a shelf that reaches both edges where they can fill it, larger ones have
 * one to themselves in as many rows as they need. A year with one photo a day is a page, and not a ladder.
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

/** The height at which groups side by side reach from edge to edge. */
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
    let left = 0;
    const boxes = group.ratios.map((ratio, index) => {
      const isLast = fills && at === groups.length - 1 && index === group.ratios.length - 1;
      // Rounding is made up for by the very last photo, so the edge is straight.
      const box = { left, top: 0, width: isLast ? room - left : Math.max(1, Math.floor(ratio * height)), height };
      left += box.width + gap;
      return box;
    });
    const own = left - gap;
    room -= own + groupGap;
    return { group, width: own, boxes };
  });
  return { groups: placed, height };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
