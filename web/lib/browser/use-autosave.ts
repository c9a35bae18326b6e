import { useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "./use-latest.ts";

const SAVE_AFTER_MS = 800;

interface AutosaveOptions<Words> {
  keep: (text: Words) => Promise<unknown>;
  /** Called when all text has been saved. */
  onKept?: () => void;
  /** Earlier text that is not saved yet. */
  unsaved?: Words;
}

/**
 * Saves text when typing pauses, when the network is back, when the page is left, and when the component unmounts. A
 * failed save is retried with the next one.
 */
export function useAutosave<Words>(options: AutosaveOptions<Words>) {
  const [state, setState] = useState<"nothing" | "saving" | "saved" | "failed">("nothing");
  const [error, setError] = useState<unknown>();
  const unsaved = useRef(options.unsaved);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useLatest(options);
  // A save may begin before the one before has ended. Its text contains that of the other, so only its result counts.
  const begun = useRef(0);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const text = unsaved.current;
    if (text === undefined) return;
    unsaved.current = undefined;
    begun.current += 1;
    const own = begun.current;
    setState("saving");
    try {
      await latest.current.keep(text);
      // More text may have been written since, and its save may have begun.
      if (unsaved.current !== undefined || own !== begun.current) return;
      latest.current.onKept?.();
      setState("saved");
    } catch (reason) {
      if (own !== begun.current) return;
      unsaved.current ??= text;
      setError(reason);
      setState("failed");
    }
  }, []);

  const write = useCallback(
    (text: Words) => {
      unsaved.current = text;
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [save],
  );

  /** Drops and returns unsaved values. */
  const forget = useCallback(() => {
    clearTimeout(timer.current);
    const text = unsaved.current;
    unsaved.current = undefined;
    return text;
  }, []);

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

  return { state, error, unsaved, write, save, forget };
}
