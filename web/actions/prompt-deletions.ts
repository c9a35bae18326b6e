import { useTranslation } from "react-i18next";
import { queryKeys } from "../data/query-keys.ts";
import { useStore } from "../lib/browser/store.ts";
import { supabase } from "../lib/request/supabase.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { delayedDeletions } from "./delayed-deletions.ts";
import { useUndoableDelete } from "./undoable-delete.ts";

const deletions = delayedDeletions("skies-prompt-deletions", async (ids) => {
  await supabase
    .from("prompts")
    .delete()
    .in("id", [...ids])
    .then(unwrap("Failed to delete"));
});

/** Returns the ids of recently deleted prompts, which must be hidden. */
export const useHiddenPrompts = () => useStore(deletions.hidden);

/** Returns a function that deletes a prompt, with an undo in the toast. Its answers stay among the photos and comments. */
export function useDeletePrompt(memoryId: string) {
  const { t } = useTranslation("prompts");
  const remove = useUndoableDelete(deletions);
  return (id: string) =>
    remove(
      [{ id }],
      {
        done: t("removed"),
        doneText: t("removedText"),
        undo: t("undo"),
        failed: t("removeFailed"),
        failedText: t("unchanged"),
      },
      [queryKeys.prompts(memoryId)],
    );
}
