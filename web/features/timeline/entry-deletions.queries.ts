import { useTranslation } from "react-i18next";
import { delayedDeletions } from "../../actions/delayed-deletions.ts";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { useStore } from "../../lib/browser/store.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

const deletions = delayedDeletions("skies-entry-deletions", async (ids) => {
  await supabase
    .from("memory_entries")
    .delete()
    .in("id", [...ids])
    .then(unwrap("Failed to delete"));
});

/** Ids of entries that were deleted a moment ago and are not to be shown. */
export const useHiddenEntries = () => useStore(deletions.hidden);

/** Deletes an entry, with a way back for as long as the toast is there. */
export function useDeleteEntry(queryKey: readonly unknown[]) {
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
      [queryKey],
    );
}
