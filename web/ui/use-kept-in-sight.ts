import { useEffect, useRef } from "react";

/** In CSS pixels from the window's edges: under the header and the page's sections, and over the end. */
const ABOVE = 136;
const BELOW = 24;

/**
 * Keeps a column in sight while a longer one beside it is scrolled on: it stands still once its end, or where it is lower
 * than the window its beginning, has come to the window's edge. The element is `sticky` at `top: var(--in-sight)`.
 */
export function useKeptInSight<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const place = () => {
      const top = Math.min(ABOVE, window.innerHeight - element.offsetHeight - BELOW);
      element.style.setProperty("--in-sight", `${top}px`);
    };
    // The browser scrolls towards what has the focus as if the column would move with the page.
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
