import { useEffect, useRef, useSyncExternalStore } from "react";

let inSight = false;
const listeners = new Set<() => void>();

function tell(now: boolean) {
  if (now === inSight) return;
  inSight = now;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether the page shows its own tray of uploads just now, so that nothing else need tell of them. */
export const useTrayInSight = () => useSyncExternalStore(subscribe, () => inSight);

/** Says of an element for as long as it stands in the page whether it is in sight. */
export function useTellsSight<T extends Element>() {
  const element = useRef<T>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((moments) => tell(moments.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      tell(false);
    };
  }, []);
  return element;
}
