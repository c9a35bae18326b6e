import { useTranslation } from "react-i18next";
import { queryKeys } from "../data/query-keys.ts";
import { useStore } from "../lib/browser/store.ts";
import { supabase } from "../lib/request/supabase.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { delayedDeletions } from "./delayed-deletions.ts";
import { useUndoableDelete } from "./undoable-delete.ts";

const deletions = delayedDeletions("skies-slideshow-deletions", async (ids) => {
  await supabase
    .from("slideshows")
    .delete()
    .in("id", [...ids])
    .then(unwrap("Failed to delete"));
});

/** Returns the ids of recently deleted slideshows, which must be hidden. */
export const useHiddenSlideshows = () => useStore(deletions.hidden);

/** Returns a function that deletes a slideshow, with an undo in the toast. Its photos stay. */
export function useDeleteSlideshow(memoryId: string) {
  const { t } = useTranslation("slideshows");
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
      [queryKeys.slideshows(memoryId)],
    );
}
