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

type Deletable = Pick<Photo, "memory_id" | "object_name">;

async function finish(cache: QueryClient, photos: readonly Deletable[]) {
  await deletions.finish(...photos.map(({ object_name }) => object_name));
  for (const memoryId of new Set(photos.map(({ memory_id }) => memory_id))) {
    await cache.invalidateQueries({ queryKey: photosQuery(supabase, memoryId).queryKey });
  }
  await cache.invalidateQueries({ queryKey: ["memories"] });
  await cache.invalidateQueries({ queryKey: ["storage"] });
}

/** Object names of photos that were deleted a moment ago and are not to be shown. */
export const useHiddenPhotos = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Deletes photos, with a way back for as long as the toast is there. */
export function useDeletePhotos() {
  const { t } = useTranslation("media");
  const cache = useQueryClient();
  return useCallback(
    (photos: readonly Deletable[]) => {
      const names = photos.map(({ object_name }) => object_name);
      if (names.length === 0) return;
      afterFailure = () => toast({ title: t("delete.failed"), description: t("delete.failedText"), tone: "problem" });
      deletions.begin(...names);
      toast({
        title: t("delete.done", { count: names.length }),
        action: { label: t("delete.undo"), onSelect: () => deletions.undo(...names) },
        onClosed: () => void finish(cache, photos),
      });
    },
    [t, cache],
  );
}
