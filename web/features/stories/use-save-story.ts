import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { memoryQuery } from "../../data/memories.queries.ts";
import { storiesQuery } from "../../data/stories.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { type DraftSlot, forgetDraft, type StoryDraft } from "../../lib/session/story-drafts.ts";
import { toast } from "../../ui/toasts.tsx";
import {
  addStory,
  Overtaken,
  saveDescription,
  saveStory,
  type Target,
  type Version,
  type Words,
} from "./saving.queries.ts";

interface Saving {
  client: SupabaseClient;
  memoryId: string;
  target: Target;
  newId: string;
  onSaved: () => void;
}

/** Returns a mutation that saves a text over the version on which it is based, with an undo in the toast. */
export function useSaveStory({ client, memoryId, target, newId, onSaved }: Saving) {
  const { t } = useTranslation(["stories", "conflict"]);
  const cache = useQueryClient();
  const readAgain = () =>
    refresh(cache, target === "own" ? memoryQuery(client, memoryId).queryKey : storiesQuery(client, memoryId).queryKey);
  const write = async (story: Words, over: Version): Promise<Version | undefined> => {
    if (target === "own") return saveDescription(client, memoryId, story, over);
    if (over.revision !== null) return saveStory(client, target, story, over);
    await addStory(client, memoryId, newId, story);
    return undefined;
  };
  const undo = async (before: Version, now: Version) => {
    try {
      await write(before, now);
      await readAgain();
      toast({ title: t("write.undone") });
    } catch (error) {
      if (error instanceof Overtaken)
        toast({ title: t("conflict:notUndone"), description: t("conflict:notUndoneText") });
      else toast({ title: t("write.undoFailed"), tone: "problem" });
    }
  };
  return useMutation({
    mutationFn: async ({ text, over }: { text: Words; over: Version }) => {
      const now = await write(text, over);
      await Promise.all([forgetDraft(newId), readAgain()]);
      return now;
    },
    onSuccess: (now, { over }) => {
      onSaved();
      toast({
        title: t("write.saved"),
        tone: "success",
        action: now && { label: t("write.undo"), onSelect: () => void undo(over, now) },
      });
    },
  });
}

const KEEP_AFTER_MS = 400;

/**
 * Stores a draft on this device when typing pauses and when the page may be closed, unless it equals the saved text.
 * Returns the time of the last storing in milliseconds since 1970, and a function that stores immediately.
 */
export function useSaveDraft(
  slot: DraftSlot,
  draft: Pick<StoryDraft, "title" | "html" | "base">,
  hasChanges: boolean,
): { keptAt: number | undefined; keepNow: () => void } {
  const [keptAt, setKeptAt] = useState<number | undefined>(slot.storedDraft?.at);
  const { title, html, base } = draft;
  const waiting = useRef<() => void>(undefined);

  useEffect(() => {
    const keep = () => {
      waiting.current = undefined;
      if (!hasChanges) return void forgetDraft(slot.id);
      void slot.keep({ title, html, base }).then(() => setKeptAt(Date.now()));
    };
    waiting.current = keep;
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [slot, title, html, base, hasChanges]);

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
