import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { useDeletePhoto, useHiddenPhotos } from "../media/deletions.queries.ts";
import { type Photo, uploadIdOf, useChooseCover } from "../media/media.queries.ts";
import { uploads, useUploads } from "../media/uploads.queries.ts";
import { useAddPhotos } from "./photos/use-add-photos.ts";
import { useMemoryPhotos } from "./photos/use-memory-photos.ts";

/** The photos of a memory in the making: those the server has, those on their way, and which is the cover. */
export function useDraftPhotos(draft: { id: string; begin: () => Promise<void> }) {
  const { t } = useTranslation("memories");
  const { photos: stored, urls, cover } = useMemoryPhotos(supabase, draft.id, useHiddenPhotos());
  const { files, overall, timeLeft } = useUploads(draft.id);
  const chooseStored = useChooseCover(supabase, draft.id);
  const remove = useDeletePhoto();
  const addToQueue = useAddPhotos(draft.id);
  const [waiting, setWaiting] = useState(false);

  // What the server already shows leaves the queue's tiles.
  const shown = new Set(stored.map(uploadIdOf));
  const onTheirWay = files.filter(
    (file) => !shown.has(file.id) && !(file.state === "stored" && stored.length > 0 && !overall.busy),
  );
  const wished = onTheirWay.find((file) => file.asCover && file.state !== "failed");

  const { begin } = draft;
  const add = useCallback(
    async (chosen: File[]) => {
      if (chosen.length === 0) return;
      setWaiting(true);
      try {
        await begin();
        await addToQueue(chosen, !cover && !wished);
      } catch {
        toast({ title: t("new.notSaved"), tone: "problem" });
      } finally {
        setWaiting(false);
      }
    },
    [begin, addToQueue, cover, wished, t],
  );

  return {
    stored,
    urls,
    files,
    onTheirWay,
    overall,
    timeLeft,
    waiting,
    add,
    remove,
    /** The stored cover, unless another one is chosen that is still on its way. */
    cover: wished ? undefined : cover,
    coverOnItsWay: wished,
    chooseStored: (photo: Photo) => {
      uploads.chooseCover(draft.id, undefined);
      chooseStored.mutate(photo.id);
    },
    chooseOnItsWay: (id: string) => uploads.chooseCover(draft.id, id),
  };
}

export type DraftPhotosState = ReturnType<typeof useDraftPhotos>;
