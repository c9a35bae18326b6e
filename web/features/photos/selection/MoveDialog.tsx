import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import type { MemorySummary } from "../../../data/memories.queries.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { MemoryChoice } from "../../../media/covers/MemoryChoice.tsx";
import { MemoryPicker } from "../../../media/covers/MemoryPicker.tsx";
import { useNewMediaUrlCache } from "../../../media/use-media-urls.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type Moved, useMovePhotos } from "../photos.queries.ts";

interface MoveDialogProps {
  /** Photos to move. The dialog is open unless the list is empty. */
  photos: readonly Photo[];
  onClose: () => void;
  onMoved: () => void;
}

/** Renders the dialog that moves photos to another memory of the person, with an undo. */
export function MoveDialog({ photos, onClose, onMoved }: MoveDialogProps) {
  const { t } = useTranslation("gallery");
  const move = useMovePhotos(supabase);
  const urls = useNewMediaUrlCache(supabase);
  const [from] = photos;

  const notBack = () => toast({ title: t("move.notBack"), tone: "problem" });
  const isBack = ({ remaining, full }: Moved) => {
    if (remaining.length === 0) return;
    const description = full ? t("move.notBackFull") : t("move.notBackText");
    toast({ title: t("move.partly", { count: remaining.length }), description, tone: "problem" });
  };
  const moveTo = (memory: MemorySummary) =>
    move.mutate(
      { photos, to: memory.id },
      {
        onSuccess: ({ moved, remaining, full }) => {
          onClose();
          onMoved();
          if (remaining.length > 0) {
            const description = full ? t("move.full") : t("move.stayed");
            return toast({ title: t("move.partly", { count: remaining.length }), description, tone: "problem" });
          }
          // A promise, because the dialog is gone by then.
          const back = () => from && void move.mutateAsync({ photos: moved, to: from.memory_id }).then(isBack, notBack);
          return toast({
            title: t("move.done", { count: moved.length, name: memory.person_name }),
            tone: "success",
            action: { label: t("move.undo"), onSelect: back },
          });
        },
      },
    );

  return (
    <Dialog
      title={t("move.title", { count: photos.length })}
      description={t("move.text")}
      open={photos.length > 0}
      onOpenChange={(open) => !open && onClose()}
    >
      {photos.length > 0 && (
        <MemoryPicker offers={({ id }) => id !== from?.memory_id} none={t("move.none")} failed={t("move.failed")}>
          {(memory) => (
            <MemoryChoice memory={memory} urls={urls} disabled={move.isPending} onChoose={() => moveTo(memory)} />
          )}
        </MemoryPicker>
      )}
    </Dialog>
  );
}
