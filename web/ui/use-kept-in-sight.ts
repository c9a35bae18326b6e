import { useEffect, useRef } from "react";

/** Distances from the window's edges in CSS pixels. ABOVE clears the header and the section links. */
const ABOVE = 136;
const BELOW = 24;

/**
 * Keeps a column visible while a longer one beside it scrolls. A column taller than the window sticks by its end, a
 * shorter one by its beginning. The element must be `sticky` where another is beside it.
 */
export function useKeptInSight<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const place = () => {
      const top = Math.min(ABOVE, window.innerHeight - element.offsetHeight - BELOW);
      element.style.top = `${top}px`;
    };
    // When the focus moves, the browser scrolls as if the column were not sticky.
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || !element.parentElement) return;
      const box = target.getBoundingClientRect();
      if (box.bottom > 0 && box.top < window.innerHeight) return;
      const within = box.top - element.getBoundingClientRect().top;
      window.scrollBy({ top: element.parentElement.getBoundingClientRect().top + within - window.innerHeight / 3 });
    };
    const resized = new ResizeObserver(place);
    resized.observe(element);
    window.addEventListener("resize", place);
    element.addEventListener("focusin", onFocus);
    return () => {
      resized.disconnect();
      window.removeEventListener("resize", place);
      element.removeEventListener("focusin", onFocus);
    };
  }, []);
  return ref;
}
