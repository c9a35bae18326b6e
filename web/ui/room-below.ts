import type { CSSProperties } from "react";
import { createStore, useStore } from "../lib/browser/store.ts";

/** The bars at the window's lower edge. */
const bars = new Set<HTMLElement>();
/** The height of the highest of them, in CSS pixels. */
const room = createStore(0);

function measure() {
  const height = Math.max(0, ...[...bars].map(({ offsetHeight }) => offsetHeight));
  room.set(height);
  document.documentElement.style.scrollPaddingBottom = `${height}px`;
}

/** The `ref` of a bar at the lower edge: reserves its height, so that it covers no content and no focused element. */
export function reserveRoomBelow(bar: HTMLElement | null) {
  if (!bar) return;
  bars.add(bar);
  const watch = new ResizeObserver(measure);
  watch.observe(bar);
  return () => {
    watch.disconnect();
    bars.delete(bar);
    measure();
  };
}

/** Returns the style of a fixed element that avoids the reserved space: `--below` is its height. */
// Not set on the root: changing a variable there recalculates the style of every element.
export const useAboveRoom = () => ({ "--below": `${useStore(room)}px` }) as CSSProperties;
