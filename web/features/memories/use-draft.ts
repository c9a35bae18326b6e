import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { beginMemory, changeMemory, type Memory, type MemoryChanges } from "../../data/memories.queries.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { queryKeys, refresh } from "../../data/query-keys.ts";
import { useSaveOnLeave } from "../../lib/browser/use-save-on-leave.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { changesOf, EMPTY_FORM, type MemoryFormValues } from "./memory-form.ts";

const SAVE_AFTER_MS = 800;

/**
 * A memory in the making. Its row is inserted with the first photo or the first words, under an id chosen here, and
 * follows what is written; saves go out one after another, so an old one never arrives after a new one.
 */
export function useDraft(existing: Memory | null) {
  const [id] = useState(() => existing?.id ?? crypto.randomUUID());
  // Refused: the plan keeps no further memory.
  const [saving, setSaving] = useState<"nothing" | "saving" | "saved" | "failed" | "refused">(
    existing ? "saved" : "nothing",
  );
  const begun = useRef(existing !== null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<MemoryFormValues>(undefined);
  const cache = useQueryClient();

  const inTurn = useCallback(<T>(work: () => Promise<T>) => {
    const done = queue.current.catch(() => {}).then(work);
    queue.current = done;
    return done;
  }, []);

  const keep = useCallback(
    (changes: MemoryChanges) =>
      inTurn(async () => {
        if (begun.current) return changeMemory(supabase, id, changes);
        await beginMemory(supabase, id, changes);
        begun.current = true;
        return undefined;
      }),
    [id, inTurn],
  );

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const words = unsaved.current;
    if (!words) return;
    unsaved.current = undefined;
    setSaving("saving");
    try {
      await keep(changesOf(words));
      setSaving("saved");
    } catch (error) {
      unsaved.current ??= words;
      setSaving(isMemoryLimit(error) ? "refused" : "failed");
    }
  }, [keep]);

  /** Takes what is written now; it is saved when writing pauses. */
  const write = useCallback(
    (words: MemoryFormValues) => {
      unsaved.current = words;
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [save],
  );

  /** Makes sure that the row exists, so that photos have a memory to go to. */
  const begin = useCallback(async () => {
    if (begun.current) return;
    await keep(changesOf(unsaved.current ?? EMPTY_FORM));
    setSaving((state) => (state === "nothing" ? "saved" : state));
  }, [keep]);

  const publish = useCallback(
    async (words: MemoryFormValues) => {
      clearTimeout(timer.current);
      unsaved.current = undefined;
      await begin();
      await inTurn(() => changeMemory(supabase, id, { ...changesOf(words), draft: false }));
      cache.removeQueries({ queryKey: queryKeys.memory(id) });
      await refresh(cache, queryKeys.memories());
    },
    [begin, cache, id, inTurn],
  );

  useSaveOnLeave(save);

  /** Forgets what is written, before the row is deleted. */
  const drop = useCallback(() => {
    clearTimeout(timer.current);
    unsaved.current = undefined;
  }, []);

  return { id, saving, begun, write, begin, publish, drop };
}
