import { useTranslation } from "react-i18next";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { useStore } from "../../lib/browser/store.ts";
import { TrashDeletions } from "../../lib/request/deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

const deletions = new TrashDeletions<{ id: string }>({
  kind: "story",
  client: () => supabase,
  remove: async (client, stories) => {
    const ids = stories.map(({ id }) => id);
    await client.from("stories").delete().in("id", ids).then(unwrap("Failed to delete the story"));
  },
});

/** Ids of stories that were deleted a moment ago and are not to be shown. */
export const useHiddenStories = () => useStore(deletions.hidden);

/** Moves a story to the trash, with a way back in the toast. */
export function useDeleteStory(queryKey: readonly unknown[]) {
  const { t } = useTranslation("stories");
  const remove = useUndoableDelete(deletions);
  return (id: string) =>
    remove(
      [{ id }],
      {
        done: t("read.withdrawn"),
        undo: t("write.undo"),
        failed: t("read.withdrawFailed"),
        failedText: t("read.withdrawFailedText"),
      },
      [queryKey],
    );
}
