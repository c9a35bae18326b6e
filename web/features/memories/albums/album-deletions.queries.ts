import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../../lib/delayed-deletions.ts";
import { supabase } from "../../../lib/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";
import type { Album } from "./albums.queries.ts";

let afterFailure = () => {};

// Kept back for a moment rather than made again: a link to an album can not come back once its album is gone.
const deletions = new DelayedDeletions({
  key: "skies-album-deletions",
  remove: async (ids) => {
    const { error } = await supabase
      .from("albums")
      .delete()
      .in("id", [...ids]);
    if (error) throw new Error("Failed to delete the album", { cause: error });
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

window.addEventListener("pagehide", () => void deletions.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void deletions.finish();
});

/** Ids of albums that were deleted a moment ago and are not to be shown. */
export const useHiddenAlbums = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Deletes an album, and none of its memories, with a way back for as long as the toast is there. */
export function useDeleteAlbum() {
  const { t } = useTranslation("albums");
  const cache = useQueryClient();
  return useCallback(
    ({ id, name }: Pick<Album, "id" | "name">) => {
      afterFailure = () => toast({ title: t("deleteFailed"), description: t("unchanged"), tone: "problem" });
      deletions.begin(id);
      toast({
        title: t("deleted", { name }),
        description: t("deletedText"),
        action: { label: t("undo"), onSelect: () => deletions.undo(id) },
        onClosed: () => void deletions.finish(id).then(() => cache.invalidateQueries({ queryKey: ["albums"] })),
      });
    },
    [t, cache],
  );
}
