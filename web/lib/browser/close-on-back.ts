import { useEffect } from "react";
import { useLatest } from "./use-latest.ts";

interface CloseWatcher extends EventTarget {
  destroy: () => void;
}

/**
 * Closes an open part of the page when a person goes back on a phone, instead of leaving the page. Only on phones: on other
 * devices a close watcher would also react to Escape, which dialogs and menus handle themselves.
 */
export function useCloseOnBack(open: boolean, close: () => void) {
  const closing = useLatest(close);
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher };
    if (!open || !CloseWatcher || !matchMedia("(pointer: coarse)").matches) return;
    const watcher = new CloseWatcher();
    watcher.addEventListener("close", () => closing.current());
    return () => watcher.destroy();
  }, [open]);
}

/** Whether the field in use shows a list of suggestions, which Escape closes before the dialog around it. */
export const hasOpenList = (): boolean => document.activeElement?.hasAttribute("aria-activedescendant") === true;
