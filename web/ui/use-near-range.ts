import { type RefObject, useLayoutEffect, useState } from "react";

/** What of an element is near the window, in CSS pixels from its top. */
export interface NearRange {
  from: number;
  to: number;
}

/** Beyond the window on both sides: what comes into sight while the next step is drawn is there already. */
const MARGIN = 500;
/** Scrolling within a step changes nothing. */
const STEP = 200;

/** Follows which part of an element is near the window; it changes in steps, not with every frame. */
export function useNearRange(ref: RefObject<HTMLElement | null>): NearRange {
  const [range, setRange] = useState<NearRange>({ from: 0, to: 1000 });
  useLayoutEffect(() => {
    const look = () => {
      const element = ref.current;
      if (!element) return;
      const { top } = element.getBoundingClientRect();
      const from = Math.floor((-top - MARGIN) / STEP) * STEP;
      const to = Math.ceil((window.innerHeight - top + MARGIN) / STEP) * STEP;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    // Whatever grows or shrinks above moves the element without a scroll.
    const resized = new ResizeObserver(look);
    resized.observe(document.body);
    // Captured: what scrolls may also be a part of the page, as the list in a window over it.
    window.addEventListener("scroll", look, { passive: true, capture: true });
    window.addEventListener("resize", look);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("resize", look);
    };
  }, [ref]);
  return range;
}
