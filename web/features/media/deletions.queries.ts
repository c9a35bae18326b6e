import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../lib/delayed-deletions.ts";
import { supabase } from "../../lib/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { deletePhotos, type Photo, photosQuery } from "./media.queries.ts";

let afterFailure = () => {};

const deletions = new DelayedDeletions({
  key: "skies-deletions",
  remove: (names) => deletePhotos(supabase, names),
  storage: localStorage,
  onFailed: () => afterFailure(),
});

// Leaving the page closes the way back. Where the browser cuts this off, the next page finishes it.
window.addEventListener("pagehide", () => void deletions.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void deletions.finish();
});

async function finish(cache: QueryClient, photo: Photo) {
  const { queryKey } = photosQuery(supabase, photo.memory_id);
  await deletions.finish(photo.object_name);
  await cache.invalidateQueries({ queryKey });
  await cache.invalidateQueries({ queryKey: ["memories"] });
}

/** Object names of photos that were deleted a moment ago and are not to be shown. */
export const useHiddenPhotos = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Deletes a photo, with a way back for as long as the toast is there. */
export function useDeletePhoto() {
  const { t } = useTranslation("media");
  const cache = useQueryClient();
  return useCallback(
    (photo: Photo) => {
      afterFailure = () => toast({ title: t("delete.failed"), description: t("delete.failedText"), tone: "problem" });
      deletions.begin(photo.object_name);
      toast({
        title: t("delete.done"),
        action: { label: t("delete.undo"), onSelect: () => deletions.undo(photo.object_name) },
        onClosed: () => void finish(cache, photo),
      });
    },
    [t, cache],
  );
}
