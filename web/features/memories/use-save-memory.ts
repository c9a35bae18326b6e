import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUndoProblem } from "../../actions/undo-problem.ts";
import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { changedFields, EditConflict, valuesBefore } from "../../data/save-over.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { changesOf, formValuesOf, type MemoryFormValues } from "./memory-form.ts";
import { useSaveMemoryOver } from "./memory-saving.queries.ts";

/**
 * Saves a memory's changed name and dates over the revision with which its form opened, with an undo; an error restores
 * the old values. `conflict` is set while somebody else's changes of the same fields wait for a choice. The story is
 * saved separately.
 */
export function useSaveMemory(memoryId: string) {
  const { t } = useTranslation("memories");
  const { mutate } = useSaveMemoryOver(supabase, memoryId);
  const undoFailed = useUndoProblem();
  const [conflict, setConflict] = useState<EditConflict<Memory>>();

  const write = useCallback(
    (base: Memory, changes: MemoryChanges) => {
      const failed = () =>
        toast({ title: t("page.saveFailed"), description: t("page.saveFailedText"), tone: "problem" });
      const undo = (stored: Memory) =>
        mutate(
          { base: stored, changes: valuesBefore(base, changes) },
          { onError: (error) => undoFailed(error, failed) },
        );
      setConflict(undefined);
      mutate(
        { base, changes },
        {
          onError: (error) => (error instanceof EditConflict ? setConflict(error as EditConflict<Memory>) : failed()),
          onSuccess: (stored) =>
            toast({
              title: t("page.saved"),
              tone: "success",
              action: { label: t("page.undo"), onSelect: () => undo(stored) },
            }),
        },
      );
    },
    [t, mutate, undoFailed],
  );

  const save = useCallback(
    (values: MemoryFormValues, base: Memory) => {
      const { description: _, ...changes } = changedFields(changesOf(formValuesOf(base)), changesOf(values));
      if (Object.keys(changes).length > 0) write(base, changes);
    },
    [write],
  );

  const dismiss = () => setConflict(undefined);
  return { save, write, conflict, dismiss };
}
