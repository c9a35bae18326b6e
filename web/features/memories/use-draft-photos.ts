import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeletePhotos, useHiddenPhotos } from "../../actions/delete-photos.ts";
import { type Photo, useChooseCover } from "../../data/media.queries.ts";
import { inOrder } from "../../data/photo-order.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { ownUploads } from "../../media/uploads/queues.ts";
import { useAddPhotos } from "../../media/uploads/use-add-photos.ts";
import { useForgetShown, useUploads } from "../../media/uploads/use-uploads.ts";
import { useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { useMemoryPhotos } from "../../media/use-memory-photos.ts";
import { toast } from "../../ui/toasts.tsx";

/** The photos of a draft: stored ones, uploads and the cover. */
export function useDraftPhotos(draft: { id: string; begin: () => Promise<void> }) {
  const { t } = useTranslation(["memories", "plans"]);
  const { photos, cover } = useMemoryPhotos(supabase, draft.id, useHiddenPhotos());
  const stored = useMemo(() => inOrder(photos, "taken"), [photos]);
  const urls = useNewMediaUrlCache(supabase);
  const memoryUploads = useUploads(draft.id);
  useForgetShown(memoryUploads, stored);
  const chooseStored = useChooseCover(supabase, draft.id);
  const remove = useDeletePhotos();
  const addToQueue = useAddPhotos(draft.id);
  const [waiting, setWaiting] = useState(false);
  const wished = memoryUploads.files.find((file) => file.asCover && file.state !== "failed" && file.state !== "stored");

  const { begin } = draft;
  /** Resolves to whether the files were added. */
  const add = useCallback(
    async (chosen: File[]): Promise<boolean> => {
      if (chosen.length === 0) return false;
      setWaiting(true);
      try {
        await begin();
      } catch (error) {
        toast({ title: t(isMemoryLimit(error) ? "plans:memoryLimit.raced" : "new.notSaved"), tone: "problem" });
        return false;
      } finally {
        setWaiting(false);
      }
      await addToQueue(chosen, !cover && !wished);
      return true;
    },
    [begin, addToQueue, cover, wished, t],
  );

  return {
    stored,
    urls,
    uploads: memoryUploads,
    waiting,
    add,
    remove,
    /** The stored cover, unless an upload is chosen as cover. */
    cover: wished ? undefined : cover,
    coverOnItsWay: wished,
    chooseStored: (photo: Photo) => {
      ownUploads().chooseCover(draft.id, undefined);
      chooseStored.mutate(photo.id);
    },
    chooseOnItsWay: (id: string) => ownUploads().chooseCover(draft.id, id),
  };
}

export type DraftPhotosState = ReturnType<typeof useDraftPhotos>;
