import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * Scrolls to the element `id` if the URL's hash names it, e.g. in a link of a notice or email, even if the element is
 * loaded after the page. Returns whether the hash names it.
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
