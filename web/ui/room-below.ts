import { type CSSProperties, type RefObject, useEffect } from "react";
import { createStore, useStore } from "../lib/browser/store.ts";

/** The height of the element at the window's lower edge, in CSS pixels. */
const room = createStore(0);

/** Reserves space for an element at the window's lower edge, so that it covers no content and no focused element. */
export function useRoomBelow(element: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const reserve = (height: number) => {
      room.set(height);
      document.documentElement.style.scrollPaddingBottom = height > 0 ? `${height}px` : "";
    };
    const watch = new ResizeObserver(() => reserve(element.current?.offsetHeight ?? 0));
    if (element.current) watch.observe(element.current);
    return () => {
      watch.disconnect();
      reserve(0);
    };
  }, [element]);
}

/** Returns the style of a fixed element that avoids the reserved space: `--below` is its height. */
// Not set on the root: changing a variable there recalculates the style of every element.
export const useAboveRoom = () => ({ "--below": `${useStore(room)}px` }) as CSSProperties;
