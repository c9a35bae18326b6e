import { useCallback, useEffect, useRef, useState } from "react";

/** Whether any of an element is in the middle half of the window, undefined until the browser knows; and how high it was then. */
export function useInSight<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const last = useRef(0);
  const [inSight, setInSight] = useState<boolean>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        last.current = entry.boundingClientRect.height;
        setInSight(entry.isIntersecting);
      },
      { rootMargin: "-25% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, inSight, height: useCallback(() => last.current, []) };
}
