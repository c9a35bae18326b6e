import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../lib/request/delayed-deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";

let afterFailure = () => {};

const deletions = new DelayedDeletions({
  key: "skies-entry-deletions",
  async remove(ids) {
    const { error } = await supabase
      .from("memory_entries")
      .delete()
      .in("id", [...ids]);
    if (error) throw new Error("Failed to delete", { cause: error });
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

// Leaving the page closes the way back. Where the browser cuts this off, the next page finishes it.
window.addEventListener("pagehide", () => void deletions.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void deletions.finish();
});

/** Ids of entries that were deleted a moment ago and are not to be shown. */
export const useHiddenEntries = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

interface Words {
  done: string;
  failed: string;
  failedText: string;
}

/** Deletes an entry, with a way back for as long as the toast is there. */
export function useDeleteEntry(queryKey: readonly unknown[]) {
  const { t } = useTranslation("stories");
  const cache = useQueryClient();
  return (id: string, words: Words) => {
    afterFailure = () => toast({ title: words.failed, description: words.failedText, tone: "problem" });
    deletions.begin(id);
    toast({
      title: words.done,
      action: { label: t("write.undo"), onSelect: () => deletions.undo(id) },
      onClosed: () => void deletions.finish(id).then(() => cache.invalidateQueries({ queryKey })),
    });
  };
}
