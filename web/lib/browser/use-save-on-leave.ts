import { useEffect } from "react";

/** Saves what is not saved yet when the network is back, when the page is left, and when the screen goes. */
export function useSaveOnLeave(save: () => Promise<unknown>) {
  useEffect(() => {
    const now = () => void save();
    window.addEventListener("online", now);
    window.addEventListener("pagehide", now);
    return () => {
      window.removeEventListener("online", now);
      window.removeEventListener("pagehide", now);
      now();
    };
  }, [save]);
}
