import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type Memory, useChangeMemory } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { changesOf, type MemoryFormValues } from "./memory-form.ts";

/** Saves a memory's name and dates, with an undo; an error restores the old values. The story is saved separately. */
export function useSaveMemory(memory: Memory) {
  const { t } = useTranslation("memories");
  const { mutate } = useChangeMemory(supabase, memory.id);
  return useCallback(
    (words: MemoryFormValues) => {
      const { kind, person_name, birth_date, passing_date, event_date } = memory;
      const before = { kind, person_name, birth_date, passing_date, event_date };
      const { description: _, ...changes } = changesOf(words);
      const onError = () =>
        toast({ title: t("page.saveFailed"), description: t("page.saveFailedText"), tone: "problem" });
      mutate(changes, {
        onError,
        onSuccess: () =>
          toast({
            title: t("page.saved"),
            tone: "success",
            action: { label: t("page.undo"), onSelect: () => mutate(before, { onError }) },
          }),
      });
    },
    [t, mutate, memory],
  );
}
