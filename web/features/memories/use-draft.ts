import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { EditConflict } from "../../data/save-over.ts";
import { useAutosave } from "../../lib/browser/use-autosave.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { DraftClosed, draftSaving, draftTable } from "./draft-saving.ts";
import { changesOf, EMPTY_FORM, type MemoryFormValues } from "./memory-form.ts";

/**
 * Manages a draft. Its row has a client-generated id and is inserted with the first photo or text. Saves run in
 * sequence, so that an older one never overwrites a newer one. `closed` is set once a save found that the draft was
 * published or discarded elsewhere, and nothing was saved. `conflict` is set while another tab has changed the same
 * fields. For `onTheirs`, see {@link draftSaving}.
 */
export function useDraft(existing: Memory | null, onTheirs: Parameters<typeof draftSaving>[2]) {
  const [id] = useState(() => existing?.id ?? crypto.randomUUID());
  const begun = useRef(existing !== null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const [stored, setStored] = useState(existing !== null);
  const [closed, setClosed] = useState<DraftClosed>();
  const [conflict, setConflict] = useState<EditConflict<Memory>>();
  const latest = useLatest(onTheirs);
  const [saver] = useState(() => draftSaving(draftTable(supabase, id), existing, (...args) => latest.current(...args)));
  const cache = useQueryClient();

  const inTurn = useCallback(<T>(work: () => Promise<T>) => {
    const done = queue.current.catch(() => {}).then(work);
    queue.current = done;
    return done;
  }, []);

  const keep = useCallback(
    (changes: MemoryChanges) =>
      inTurn(async () => {
        try {
          await saver.save(changes);
          begun.current = true;
          setConflict(undefined);
        } catch (error) {
          if (error instanceof DraftClosed) setClosed(error);
          if (error instanceof EditConflict) setConflict(error as EditConflict<Memory>);
          throw error;
        }
      }),
    [inTurn, saver],
  );

  const { state, error, unsaved, write, forget } = useAutosave({
    keep: (values: MemoryFormValues) => keep(changesOf(values)),
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
    async (values: MemoryFormValues) => {
      forget();
      await begin();
      await keep({ ...changesOf(values), draft: false });
      cache.removeQueries({ queryKey: queryKeys.memory(id) });
      await refresh(cache, queryKeys.memories());
    },
    [begin, cache, forget, id, keep],
  );

  /** Ends the conflict: the next save is over what another tab has stored. */
  const settle = useCallback(
    ({ stored, fields }: EditConflict<Memory>) => {
      saver.rebase(stored, fields);
      setConflict(undefined);
    },
    [saver],
  );

  const askAgain = useCallback(() => setClosed(undefined), []);

  return { id, saving, begun, write, begin, publish, drop: forget, closed, askAgain, conflict, settle };
}
