import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useDeletion } from "../../actions/undoable-delete.ts";
import { Deletions, restoreDeleted } from "../../lib/request/deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import type { Album } from "./albums.queries.ts";

const deletions = new Deletions<Pick<Album, "id">>({
  remove: async (albums) => {
    const { error } = await supabase
      .from("albums")
      .delete()
      .in(
        "id",
        albums.map(({ id }) => id),
      );
    if (error) throw new Error("Failed to delete the album", { cause: error });
  },
  restore: (albums) =>
    restoreDeleted(
      supabase,
      albums.map(({ id }) => ({ kind: "album", id })),
    ),
});

/** Ids of albums that were deleted a moment ago and are not to be shown. */
export const useHiddenAlbums = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Moves an album, and none of its memories, to the trash, with a way back in the toast. */
export function useDeleteAlbum() {
  const { t } = useTranslation("albums");
  const remove = useDeletion(deletions);
  return ({ id, name }: Pick<Album, "id" | "name">) =>
    remove(
      [{ id }],
      {
        done: t("deleted", { name }),
        doneText: t("deletedText"),
        undo: t("undo"),
        failed: t("deleteFailed"),
        failedText: t("unchanged"),
      },
      [["albums"], ["memories"], ["memory"]],
    );
}
