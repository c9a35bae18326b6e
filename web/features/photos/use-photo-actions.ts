import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDeletePhotos } from "../../actions/delete-photos.ts";
import { useDecide } from "../../actions/moderation.ts";
import { useUndoProblem } from "../../actions/undo-problem.ts";
import { type Photo, useChooseCover } from "../../data/media.queries.ts";
import { useChangeMemory } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import type { PhotoOrder } from "../../data/photo-order.ts";
import { useUser } from "../../lib/session/session.ts";
import { toast } from "../../ui/toasts.tsx";
import { useEditPhotos } from "./editing/use-edit-photos.ts";
import type { PhotoActions } from "./photo-actions.ts";
import { arrangement, undone, useArrange } from "./photos.queries.ts";
import { useChangeSides } from "./sides/use-change-sides.ts";

/** Returns the signed-in person's actions on photos, with toasts; undefined if no action is allowed. */
export function usePhotoActions(
  { client, memory, rights }: MemoryContext,
  onMove: (photos: Photo[]) => void,
  onAdjustCover: () => void,
): PhotoActions | undefined {
  const { t } = useTranslation(["gallery", "media"]);
  const { id: userId } = useUser();
  const remove = useDeletePhotos();
  const chooseCover = useChooseCover(client, memory.id).mutate;
  const arrange = useArrange(client, memory.id).mutate;
  const change = useChangeMemory(client, memory.id).mutate;
  const decide = useDecide(client, memory.id);
  const changeSides = useChangeSides(client, memory.id);
  const editing = useEditPhotos(client, memory.id);
  const undoFailed = useUndoProblem();
  const { manage, contribute } = rights;
  const { media_order } = memory;

  return useMemo(() => {
    if (!manage && !contribute) return undefined;
    const mayChange = (photo: Photo) => manage || photo.user_id === userId;
    if (!manage) return { mayChange, remove, ...editing };

    const setOrder = (order: PhotoOrder) =>
      change({ media_order: order }, { onError: () => toast({ title: t("order.failed"), tone: "problem" }) });
    const notArranged = () =>
      toast({ title: t("arrange.failed"), description: t("arrange.failedText"), tone: "problem" });
    return {
      mayChange,
      remove,
      ...editing,
      changeSides,
      setOrder,
      move: (photos) => onMove([...photos]),
      hide: (photos) =>
        void decide(
          photos.map(({ id }) => ({ kind: "media", id })),
          "hidden",
        ),
      chooseCover: (photo) =>
        chooseCover(photo.id, {
          onSuccess: () =>
            toast({
              title: t("media:cover.chosen"),
              tone: "success",
              action: { label: t("cover.adjust"), onSelect: onAdjustCover },
            }),
          onError: () => toast({ title: t("media:cover.failed"), tone: "problem" }),
        }),
      arrange: (photos, ids, gap) => {
        const order = arrangement(photos, ids, gap);
        if (!order) return;
        const undo = () =>
          arrange(undone(order, photos, media_order), { onError: (error) => undoFailed(error, notArranged) });
        arrange(order, {
          onError: notArranged,
          onSuccess: () =>
            toast({
              title: t("arrange.saved"),
              tone: "success",
              action: { label: t("arrange.undo"), onSelect: undo },
            }),
        });
      },
    };
  }, [
    t,
    manage,
    contribute,
    userId,
    media_order,
    remove,
    chooseCover,
    arrange,
    change,
    decide,
    changeSides,
    editing,
    undoFailed,
    onMove,
    onAdjustCover,
  ]);
}
