/** From where to where something of the page reaches, in CSS pixels. */
export interface Reach {
  top: number;
  bottom: number;
}

/** The place among the others that what is carried from `from` would take at this height. */
export function placeAt(y: number, from: number, stories: readonly Reach[]): number {
  return stories.filter(({ top, bottom }, index) => index !== from && (top + bottom) / 2 < y).length;
}

/** The height at which a mark shows the place `to` to whoever carries a story from `from`: between its new neighbours. */
export function markAt(to: number, from: number, stories: readonly Reach[]): number {
  const others = stories.filter((_, index) => index !== from);
  const [above, below] = [others[to - 1], others[to]];
  if (above && below) return (above.bottom + below.top) / 2;
  return above ? above.bottom + EDGE_PX : (below?.top ?? 0) - EDGE_PX;
}

/** How far from the first and the last story a mark stands. */
const EDGE_PX = 20;
