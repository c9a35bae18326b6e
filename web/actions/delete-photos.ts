import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { deletePhotos, type Photo, photosQuery } from "../data/media.queries.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useStore } from "../lib/browser/store.ts";
import { TrashDeletions } from "../lib/request/deletions.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUndoableDelete } from "./undoable-delete.ts";

type Deletable = Pick<Photo, "id" | "memory_id" | "object_name">;

const deletions = new TrashDeletions<Deletable>({
  kind: "media",
  client: () => supabase,
  remove: (client, photos) =>
    deletePhotos(
      client,
      photos.map(({ object_name }) => object_name),
    ),
});

/** Returns the ids of recently deleted photos, which must be hidden. */
export const useHiddenPhotos = () => useStore(deletions.hidden);

/** Returns a function that moves photos to the trash, with an undo in the toast. */
export function useDeletePhotos() {
  const { t } = useTranslation("media");
  const remove = useUndoableDelete(deletions);
  return useCallback(
    (photos: readonly Deletable[]) => {
      if (photos.length === 0) return;
      const memories = [...new Set(photos.map(({ memory_id }) => memory_id))];
      remove(
        photos,
        {
          done: t("delete.done", { count: photos.length }),
          undo: t("delete.undo"),
          failed: t("delete.failed"),
          failedText: t("delete.failedText"),
        },
        [
          ...memories.flatMap((id) => [
            photosQuery(supabase, id).queryKey,
            queryKeys.memory(id),
            queryKeys.comments(id),
          ]),
          queryKeys.memories(),
          queryKeys.storage(),
        ],
      );
    },
    [t, remove],
  );
}
