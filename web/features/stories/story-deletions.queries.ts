import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useDeletion } from "../../actions/undoable-delete.ts";
import { Deletions, restoreDeleted } from "../../lib/request/deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";

const deletions = new Deletions<{ id: string }>({
  remove: async (stories) => {
    const { error } = await supabase
      .from("stories")
      .delete()
      .in(
        "id",
        stories.map(({ id }) => id),
      );
    if (error) throw new Error("Failed to delete the story", { cause: error });
  },
  restore: (stories) =>
    restoreDeleted(
      supabase,
      stories.map(({ id }) => ({ kind: "story", id })),
    ),
});

/** Ids of stories that were deleted a moment ago and are not to be shown. */
export const useHiddenStories = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Moves a story to the trash, with a way back in the toast. */
export function useDeleteStory(queryKey: readonly unknown[]) {
  const { t } = useTranslation("stories");
  const remove = useDeletion(deletions);
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
