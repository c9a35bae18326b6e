import type { Box } from "./justified-layout.ts";

const middle = (box: Box) => box.left + box.width / 2;

/**
 * Returns the index of the photo to which a key moves the focus: the previous or next one, the nearest one above or
 * below, the nearest one at a distance of `page` CSS pixels, the first or the last one. Returns undefined for other
 * keys.
 */
export function keyTarget(key: string, index: number, boxes: readonly Box[], page: number): number | undefined {
  const from = boxes[index];
  const last = boxes.length - 1;
  if (!from) return undefined;
  const vertically = (distance: number) => {
    const aim = from.top + distance;
    let best = index;
    let off = Number.POSITIVE_INFINITY;
    boxes.forEach((box, at) => {
      if (Math.sign(box.top - from.top) !== Math.sign(distance)) return;
      const away = Math.abs(box.top - aim) * 1000 + Math.abs(middle(box) - middle(from));
      if (away < off) [best, off] = [at, away];
    });
    return best;
  };
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowRight":
      return Math.min(last, index + 1);
    case "ArrowUp":
      return vertically(-1);
    case "ArrowDown":
      return vertically(1);
    case "PageUp":
      return vertically(-page);
    case "PageDown":
      return vertically(page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
