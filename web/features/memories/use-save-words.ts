import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { type Memory, useChangeMemory } from "./memories.queries.ts";
import { changesOf, type MemoryWords } from "./memory-words.ts";

/** Saves what its owner wrote of a memory, with a way back; a refusal puts the page back and says so. */
export function useSaveWords(memory: Memory) {
  const { t } = useTranslation("memories");
  const { mutate } = useChangeMemory(supabase, memory.id);
  return useCallback(
    (words: MemoryWords) => {
      const { kind, person_name, description, birth_date, passing_date, event_date } = memory;
      const before = { kind, person_name, description, birth_date, passing_date, event_date };
      const onError = () =>
        toast({ title: t("page.saveFailed"), description: t("page.saveFailedText"), tone: "problem" });
      mutate(changesOf(words), {
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
