import { useTranslation } from "react-i18next";
import { queryKeys } from "../data/query-keys.ts";
import { useStore } from "../lib/browser/store.ts";
import { supabase } from "../lib/request/supabase.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { delayedDeletions } from "./delayed-deletions.ts";
import { useUndoableDelete } from "./undoable-delete.ts";

const deletions = delayedDeletions("skies-entry-deletions", async (ids) => {
  await supabase
    .from("memory_entries")
    .delete()
    .in("id", [...ids])
    .then(unwrap("Failed to delete"));
});

/** Returns the ids of recently deleted entries, which must be hidden. */
export const useHiddenEntries = () => useStore(deletions.hidden);

/** Returns a function that deletes an entry of a memory, or a part of its day, with an undo in the toast. */
export function useDeleteEntry(memoryId: string) {
  const { t } = useTranslation("stories");
  const remove = useUndoableDelete(deletions);
  return ({ id, title }: { id: string; title: string }) =>
    remove(
      [{ id }],
      {
        done: t("life.removed", { title }),
        undo: t("write.undo"),
        failed: t("life.removeFailed"),
        failedText: t("life.removeFailedText"),
      },
      [queryKeys.entries(memoryId), queryKeys.day(memoryId), queryKeys.streams(memoryId)],
    );
}
