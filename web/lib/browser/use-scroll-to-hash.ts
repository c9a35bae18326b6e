import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * For what an address can lead to by its hash, as that of a notice or an email: brings it into sight, also when it comes
 * later than the page. `arrived` says that the address leads to it.
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
