import type { CSSProperties } from "react";
import { createStore, useStore } from "../lib/browser/store.ts";

/** The heights of the bars at the window's lower edge, in CSS pixels. */
const heights = new Map<HTMLElement, number>();
/** The height of the highest of them. */
const room = createStore(0);

/** The `ref` of a bar at the lower edge: reserves its height, so that it covers no content and no focused element. */
export function reserveRoomBelow(bar: HTMLElement | null) {
  if (!bar) return;
  const reserve = () => {
    const height = Math.max(0, ...heights.values());
    room.set(height);
    document.documentElement.style.scrollPaddingBottom = height > 0 ? `${height}px` : "";
  };
  const watch = new ResizeObserver(() => {
    heights.set(bar, bar.offsetHeight);
    reserve();
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    heights.delete(bar);
    reserve();
  };
}

/** Returns the style of a fixed element that avoids the reserved space: `--below` is its height. */
// Not set on the root: changing a variable there recalculates the style of every element.
export const useAboveRoom = () => ({ "--below": `${useStore(room)}px` }) as CSSProperties;
