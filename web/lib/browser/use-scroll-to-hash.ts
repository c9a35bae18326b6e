import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Scrolls to the target of the URL's hash, e.g. of a link in an email, even if it loads later than the page. `arrived`
 * is true if the hash names this target.
 */
export function useScrollToHash<Target extends HTMLElement>(id: string, block: ScrollLogicalPosition) {
  const { hash, key } = useLocation();
  const target = useRef<Target>(null);
  const arrived = hash === `#${id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for having followed a link, also once more
  useEffect(() => {
    if (arrived) target.current?.scrollIntoView({ block });
  }, [arrived, block, key]);
  return { target, arrived };
}
