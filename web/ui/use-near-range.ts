import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from "react";

/** The part of an element near the window, in CSS pixels from the element's top. */
export interface NearRange {
  from: number;
  to: number;
}

/** Overscan above and below the window, in CSS pixels: items appear before they scroll into view. */
const MARGIN = 500;
/** The range is rounded to steps of this many CSS pixels, to limit renders. */
const STEP = 200;

/** The range before the element's position is known. */
const AT_FIRST: NearRange = { from: 0, to: 1000 };

/** Returns the part of an element that is near the window. It changes in steps, not with every frame. */
export function useNearRange(ref: RefObject<HTMLElement | null>): NearRange {
  const [range, setRange] = useState(AT_FIRST);
  const last = useRef(AT_FIRST);
  useLayoutEffect(() => {
    const look = () => {
      const element = ref.current;
      if (!element) return;
      const { top } = element.getBoundingClientRect();
      const from = Math.max(0, Math.floor((-top - MARGIN) / STEP) * STEP);
      const to = Math.ceil((window.innerHeight - top + MARGIN) / STEP) * STEP;
      const before = last.current;
      if (before.from === from && before.to === to) return;
      const now = { from, to };
      last.current = now;
      // Items that come near are rendered before the next paint. Removing items that leave is not urgent.
      if (from < before.from || to > before.to) setRange(now);
      else startTransition(() => setRange(now));
    };
    look();
    // Content above that changes size moves the element without a scroll event.
    const resized = new ResizeObserver(look);
    resized.observe(document.body);
    // Capture, because scroll events of inner containers, e.g. a list in a dialog, do not bubble.
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
