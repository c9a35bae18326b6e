import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { beginMemory, changeDraft, DraftClosed, type Memory, type MemoryChanges } from "../../data/memories.queries.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useAutosave } from "../../lib/browser/use-autosave.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { changesOf, EMPTY_FORM, type MemoryFormValues } from "./memory-form.ts";

/**
 * Manages a draft. Its row has a client-generated id and is inserted with the first photo or text. Saves run in
 * sequence, so that an older one never overwrites a newer one. `closed` is set once a save found that the draft was
 * published or discarded elsewhere, and nothing was saved.
 */
export function useDraft(existing: Memory | null) {
  const [id] = useState(() => existing?.id ?? crypto.randomUUID());
  const begun = useRef(existing !== null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const [stored, setStored] = useState(existing !== null);
  const [closed, setClosed] = useState<DraftClosed>();
  const cache = useQueryClient();

  const inTurn = useCallback(<T>(work: () => Promise<T>) => {
    const done = queue.current.catch(() => {}).then(work);
    queue.current = done;
    return done;
  }, []);

  const change = useCallback(
    (changes: MemoryChanges) =>
      changeDraft(supabase, id, changes).catch((error: unknown) => {
        if (error instanceof DraftClosed) setClosed(error);
        throw error;
      }),
    [id],
  );

  const keep = useCallback(
    (changes: MemoryChanges) =>
      inTurn(async () => {
        if (begun.current) return change(changes);
        await beginMemory(supabase, id, changes);
        begun.current = true;
      }),
    [change, id, inTurn],
  );

  const { state, error, unsaved, write, forget } = useAutosave({
    keep: (words: MemoryFormValues) => keep(changesOf(words)),
  });
  // Whether the save was refused because the plan allows no more memories.
  const refused = state === "failed" && isMemoryLimit(error);
  const saving = refused ? "refused" : state === "nothing" && stored ? "saved" : state;

  /** Ensures that the row exists, e.g. before photos are uploaded. */
  const begin = useCallback(async () => {
    if (begun.current) return;
    await keep(changesOf(unsaved.current ?? EMPTY_FORM));
    setStored(true);
  }, [keep, unsaved]);

  const publish = useCallback(
    async (words: MemoryFormValues) => {
      forget();
      await begin();
      await inTurn(() => change({ ...changesOf(words), draft: false }));
      cache.removeQueries({ queryKey: queryKeys.memory(id) });
      await refresh(cache, queryKeys.memories());
    },
    [begin, cache, change, forget, id, inTurn],
  );

  const askAgain = useCallback(() => setClosed(undefined), []);

  return { id, saving, begun, write, begin, publish, drop: forget, closed, askAgain };
}
