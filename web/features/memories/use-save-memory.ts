import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
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
  const { t } = useTranslation(["memories", "conflict"]);
  const { mutate } = useSaveMemoryOver(supabase, memoryId);
  const [conflict, setConflict] = useState<EditConflict<Memory>>();

  const write = useCallback(
    (base: Memory, changes: MemoryChanges) => {
      const failed = () =>
        toast({ title: t("page.saveFailed"), description: t("page.saveFailedText"), tone: "problem" });
      const undo = (stored: Memory) =>
        mutate(
          { base: stored, changes: valuesBefore(base, changes) },
          {
            onError: (error) =>
              error instanceof EditConflict
                ? toast({ title: t("conflict:notUndone"), description: t("conflict:notUndoneText") })
                : failed(),
          },
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
    [t, mutate],
  );

  const save = useCallback(
    (words: MemoryFormValues, base: Memory) => {
      const { description: _, ...changes } = changedFields(changesOf(formValuesOf(base)), changesOf(words));
      if (Object.keys(changes).length > 0) write(base, changes);
    },
    [write],
  );

  const dismiss = () => setConflict(undefined);
  /** Closes the question, which the toast opens again. */
  const postpone = () => {
    dismiss();
    toast({
      title: t("conflict:waiting"),
      tone: "problem",
      action: { label: t("conflict:show"), onSelect: () => setConflict(conflict) },
    });
  };
  return { save, write, conflict, dismiss, postpone };
}
