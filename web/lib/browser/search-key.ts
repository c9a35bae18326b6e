import { useEffect } from "react";
import { useLatest } from "./use-latest.ts";

const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=dialog], [role=menu]";

/** Calls back when "/" is pressed outside of fields, dialogs and menus. Without a callback it does nothing. */
export function useSearchKey(onPressed: (() => void) | undefined) {
  const callback = useLatest(onPressed);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!callback.current || (event.target instanceof Element && event.target.closest(TYPING))) return;
      // A key that is typed in the field already, otherwise.
      event.preventDefault();
      callback.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
