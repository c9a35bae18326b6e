import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { beginMemory, changeMemory, type Memory, type MemoryChanges } from "../../data/memories.queries.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { queryKeys, refresh } from "../../data/query-keys.ts";
import { useAutosave } from "../../lib/browser/use-autosave.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { changesOf, EMPTY_FORM, type MemoryFormValues } from "./memory-form.ts";

/**
 * A memory in the making. Its row is inserted with the first photo or the first words, under an id chosen here, and
 * follows what is written; saves go out one after another, so an old one never arrives after a new one.
 */
export function useDraft(existing: Memory | null) {
  const [id] = useState(() => existing?.id ?? crypto.randomUUID());
  const begun = useRef(existing !== null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const [stored, setStored] = useState(existing !== null);
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

  const { state, error, unsaved, write, forget } = useAutosave({
    keep: (words: MemoryFormValues) => keep(changesOf(words)),
  });
  // Refused: the plan keeps no further memory.
  const refused = state === "failed" && isMemoryLimit(error);
  const saving = refused ? "refused" : state === "nothing" && stored ? "saved" : state;

  /** Makes sure that the row exists, so that photos have a memory to go to. */
  const begin = useCallback(async () => {
    if (begun.current) return;
    await keep(changesOf(unsaved.current ?? EMPTY_FORM));
    setStored(true);
  }, [keep, unsaved]);

  const publish = useCallback(
    async (words: MemoryFormValues) => {
      forget();
      await begin();
      await inTurn(() => changeMemory(supabase, id, { ...changesOf(words), draft: false }));
      cache.removeQueries({ queryKey: queryKeys.memory(id) });
      await refresh(cache, queryKeys.memories());
    },
    [begin, cache, forget, id, inTurn],
  );

  return { id, saving, begun, write, begin, publish, drop: forget };
}
