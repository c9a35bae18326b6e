import { useEffect } from "react";

/** Names the page in the browser's tab and to screen readers. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title ? `${title} · Skies` : "Skies · Your Private Memory Portal";
  }, [title]);
}
