import { useEffect } from "react";

/** Sets the document title. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title ? `${title} · Skies` : "Skies · Your Private Memory Portal";
  }, [title]);
}
