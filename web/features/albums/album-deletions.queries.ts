import { useTranslation } from "react-i18next";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useStore } from "../../lib/browser/store.ts";
import { TrashDeletions } from "../../lib/request/deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import type { Album } from "./albums.queries.ts";

const deletions = new TrashDeletions<Pick<Album, "id">>({
  kind: "album",
  client: () => supabase,
  remove: async (client, albums) => {
    const ids = albums.map(({ id }) => id);
    await client.from("albums").delete().in("id", ids).then(unwrap("Failed to delete the album"));
  },
});

/** Ids of recently deleted albums, to be hidden. */
export const useHiddenAlbums = () => useStore(deletions.hidden);

/** Moves an album without its memories to the trash, with an undo in the toast. */
export function useDeleteAlbum() {
  const { t } = useTranslation("albums");
  const remove = useUndoableDelete(deletions);
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
      [queryKeys.albums(), queryKeys.memories(), queryKeys.memory()],
    );
}
