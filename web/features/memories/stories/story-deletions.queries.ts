import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../../lib/delayed-deletions.ts";
import { supabase } from "../../../lib/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";

/** The tables whose rows are deleted with a way back. */
type Table = "stories" | "memory_entries";

let afterFailure = () => {};

const deletions = new DelayedDeletions({
  key: "skies-story-deletions",
  async remove(names) {
    for (const name of names) {
      const [table, id] = name.split("/") as [Table, string];
      const { error } = await supabase.from(table).delete().eq("id", id);
      if (error) throw new Error("Failed to delete", { cause: error });
    }
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

// Leaving the page closes the way back. Where the browser cuts this off, the next page finishes it.
window.addEventListener("pagehide", () => void deletions.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void deletions.finish();
});

/** Whether a row was deleted a moment ago and is not to be shown. */
export function useHiddenRows(): (table: Table, id: string) => boolean {
  const hidden = useSyncExternalStore(deletions.subscribe, deletions.snapshot);
  return useCallback((table, id) => hidden.has(`${table}/${id}`), [hidden]);
}

interface Words {
  done: string;
  failed: string;
  failedText: string;
}

/** Deletes a row, with a way back for as long as the toast is there. */
export function useDeleteRow(table: Table, queryKey: readonly unknown[]) {
  const { t } = useTranslation("stories");
  const cache = useQueryClient();
  return (id: string, words: Words) => {
    const name = `${table}/${id}`;
    afterFailure = () => toast({ title: words.failed, description: words.failedText, tone: "problem" });
    deletions.begin(name);
    toast({
      title: words.done,
      action: { label: t("write.undo"), onSelect: () => deletions.undo(name) },
      onClosed: () => void deletions.finish(name).then(() => cache.invalidateQueries({ queryKey })),
    });
  };
}
