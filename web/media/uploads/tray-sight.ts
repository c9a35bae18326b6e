import { useEffect, useRef } from "react";
import { createStore, useStore } from "../../lib/browser/store.ts";

const inSight = createStore(false);

/** Whether the page shows its own tray of uploads just now, so that nothing else need tell of them. */
export const useTrayInSight = () => useStore(inSight);

/** Says of an element for as long as it stands in the page whether it is in sight. */
export function useTellsSight<T extends Element>() {
  const element = useRef<T>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((moments) => inSight.set(moments.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      inSight.set(false);
    };
  }, []);
  return element;
}
