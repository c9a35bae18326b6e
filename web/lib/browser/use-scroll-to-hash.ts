import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * For the element `id`, to which a hash in the address may lead, as in a notice or email: scrolls to it, even if it loads later
 * than the page. Returns whether the address leads to it.
 */
export function useScrollToHash(id: string, block: ScrollLogicalPosition): boolean {
  const { hash, key } = useLocation();
  const arrived = hash === `#${id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for having followed a link, also once more
  useEffect(() => {
    if (arrived) document.getElementById(id)?.scrollIntoView({ block });
  }, [arrived, block, key]);
  return arrived;
}
