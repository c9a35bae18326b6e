import { useCallback, useEffect, useRef, useState } from "react";
import type { Photo } from "../../../data/media.queries.ts";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { type CaptionValues, useDescribe } from "../captions.queries.ts";

const SAVE_AFTER_MS = 800;
const keyOf = (photoId: string) => `skies-words-${photoId}`;

/**
 * What is being written of a photo: kept in the browser with every letter, and at the server when writing pauses or the
 * photo is left. What could not be kept there is still here when the photo is opened again, and tried again.
 */
export function useCaptionForm(client: SupabaseClient, photo: Photo) {
  const { mutateAsync } = useDescribe(client, photo);
  const [draft, setDraft] = useState<CaptionValues | undefined>(() => readDraft(photo.id));
  const [saving, setSaving] = useState<"nothing" | "saving" | "saved" | "failed">("nothing");
  const unsaved = useRef(draft);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { id } = photo;

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const words = unsaved.current;
    if (!words) return;
    unsaved.current = undefined;
    setSaving("saving");
    try {
      await mutateAsync(words);
      // Something may have been written since.
      if (unsaved.current) return;
      writeDraft(id, undefined);
      setDraft(undefined);
      setSaving("saved");
    } catch {
      unsaved.current ??= words;
      setSaving("failed");
    }
  }, [id, mutateAsync]);

  const write = (changes: Partial<CaptionValues>) => {
    const words = { caption: photo.caption, alt_text: photo.alt_text, ...draft, ...changes };
    unsaved.current = words;
    setDraft(words);
    writeDraft(id, words);
    clearTimeout(timer.current);
    timer.current = setTimeout(save, SAVE_AFTER_MS);
  };

  useEffect(() => {
    void save();
    const again = () => void save();
    window.addEventListener("online", again);
    window.addEventListener("pagehide", again);
    return () => {
      window.removeEventListener("online", again);
      window.removeEventListener("pagehide", again);
      void save();
    };
  }, [save]);

  return { words: draft ?? photo, saving, write, save };
}

function readDraft(photoId: string): CaptionValues | undefined {
  const kept = readJson(browserStorage, keyOf(photoId)) as Partial<CaptionValues> | undefined;
  return typeof kept?.caption === "string" && typeof kept.alt_text === "string" ? (kept as CaptionValues) : undefined;
}

const writeDraft = (photoId: string, words: CaptionValues | undefined) =>
  keepJson(browserStorage, keyOf(photoId), words);
