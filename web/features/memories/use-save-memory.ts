import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Memory, type MemoryChanges, useSaveMemoryOver } from "../../data/memories.queries.ts";
import { ChangedMeanwhile, changedFields } from "../../data/save-over.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { changesOf, type MemoryFormValues } from "./memory-form.ts";

/**
 * Saves a memory's changed name and dates over the version with which its form opened, with an undo; an error restores
 * the old values. `conflict` is set while somebody else's changes of the same fields wait for a choice. The story is
 * saved separately.
 */
export function useSaveMemory(memoryId: string) {
  const { t } = useTranslation("memories");
  const { mutate } = useSaveMemoryOver(supabase, memoryId);
  const [conflict, setConflict] = useState<ChangedMeanwhile<Memory>>();

  const write = useCallback(
    (base: Memory, changes: MemoryChanges) => {
      const failed = (overtaken: string) => (error: unknown) =>
        toast({
          title: error instanceof ChangedMeanwhile ? overtaken : t("page.saveFailed"),
          description: error instanceof ChangedMeanwhile ? undefined : t("page.saveFailedText"),
          tone: "problem",
        });
      const undo = (stored: Memory) => {
        const before = Object.keys(changedFields(base, changes)).map((name) => [name, base[name as keyof Memory]]);
        mutate({ base: stored, changes: Object.fromEntries(before) }, { onError: failed(t("page.undoOvertaken")) });
      };
      setConflict(undefined);
      mutate(
        { base, changes },
        {
          onError: (error) => {
            if (error instanceof ChangedMeanwhile) setConflict(error as ChangedMeanwhile<Memory>);
            else failed("")(error);
          },
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
      const { description: _, ...changes } = changesOf(words);
      write(base, changes);
    },
    [write],
  );
  return { save, write, conflict, leave: () => setConflict(undefined) };
}
