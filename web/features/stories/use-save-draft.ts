import { useCallback, useEffect, useRef, useState } from "react";
import { type DraftSlot, forgetDraft, type StoryDraft } from "../../lib/session/story-drafts.ts";

const KEEP_AFTER_MS = 400;

/**
 * Keeps words on this device as they are written: when writing pauses, and when the page may be about to go. Words that
 * say what stands there already are not kept. Gives when they were last kept, as milliseconds
 * since 1970, and what keeps them at once.
 */
export function useSaveDraft(
  slot: DraftSlot,
  words: Pick<StoryDraft, "title" | "html" | "base">,
  changed: boolean,
): { keptAt: number | undefined; keepNow: () => void } {
  const [keptAt, setKeptAt] = useState<number | undefined>(slot.found?.at);
  const { title, html, base } = words;
  const waiting = useRef<() => void>(undefined);

  useEffect(() => {
    const keep = () => {
      waiting.current = undefined;
      if (!changed) return void forgetDraft(slot.id);
      void slot.keep({ title, html, base }).then(() => setKeptAt(Date.now()));
    };
    waiting.current = keep;
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [slot, title, html, base, changed]);

  const keepNow = useCallback(() => waiting.current?.(), []);
  useEffect(() => {
    const onVisibility = () => document.hidden && keepNow();
    window.addEventListener("pagehide", keepNow);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [keepNow]);
  return { keptAt, keepNow };
}
