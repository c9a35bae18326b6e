import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChooseCover } from "../../../data/media.queries.ts";
import { type CoverPhoto, type Memory, useChangeMemory } from "../../../data/memories.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Cover } from "../../../media/covers/MemoryCover.tsx";
import { useMediaUrls, useNewMediaUrlCache } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { FocalPoint, type Point } from "./FocalPoint.tsx";

interface CoverDialogProps {
  context: MemoryContext;
  cover: CoverPhoto | null;
  open: boolean;
  onClose: () => void;
}

/** Sets which point of the cover is always seen, or gives the memory its own sky again. */
export function CoverDialog({ context: { client, memory }, cover, open, onClose }: CoverDialogProps) {
  const { t } = useTranslation("gallery");
  const change = useChangeMemory(client, memory.id);
  const choose = useChooseCover(client, memory.id);
  const failed = () => toast({ title: t("cover.failed"), tone: "problem" });

  const save = ({ x, y }: Point) => {
    change.mutate(
      { cover_x: x, cover_y: y },
      { onError: failed, onSuccess: () => toast({ title: t("cover.saved"), tone: "success" }) },
    );
    onClose();
  };
  const remove = (taken: CoverPhoto) => {
    const { cover_x, cover_y } = memory;
    const back = () => choose.mutate(taken.id, { onSuccess: () => change.mutate({ cover_x, cover_y }) });
    choose.mutate(null, {
      onError: failed,
      onSuccess: () =>
        toast({ title: t("cover.removed"), tone: "success", action: { label: t("move.undo"), onSelect: back } }),
    });
    onClose();
  };

  return (
    <Dialog
      title={t("cover.title")}
      description={cover ? t("cover.text") : t("cover.choose")}
      open={open}
      onOpenChange={(wanted) => !wanted && onClose()}
    >
      {open && cover && (
        <CoverForm client={client} memory={memory} cover={cover} onSave={save} onRemove={() => remove(cover)} />
      )}
    </Dialog>
  );
}

interface CoverFormProps {
  client: SupabaseClient;
  memory: Memory;
  cover: CoverPhoto;
  onSave: (point: Point) => void;
  onRemove: () => void;
}

function CoverForm({ client, memory, cover, onSave, onRemove }: CoverFormProps) {
  const { t } = useTranslation("gallery");
  const urls = useMediaUrls(cover, useNewMediaUrlCache(client));
  const [point, setPoint] = useState<Point>({ x: memory.cover_x, y: memory.cover_y });
  const changed = { ...memory, cover_x: point.x, cover_y: point.y };
  return (
    <div className="grid gap-5">
      <FocalPoint cover={cover} urls={urls} point={point} onPoint={setPoint} />
      <div aria-hidden className="flex items-end gap-4">
        <figure className="grid grow gap-1">
          <Cover
            memory={changed}
            cover={cover}
            urls={urls}
            sizes="400px"
            className="h-24 w-full overflow-hidden rounded-xl"
          />
          <figcaption className="text-sm text-ink-soft">{t("cover.wide")}</figcaption>
        </figure>
        <figure className="grid w-24 shrink-0 gap-1">
          <Cover
            memory={changed}
            cover={cover}
            urls={urls}
            sizes="96px"
            className="h-24 w-16 overflow-hidden rounded-xl"
          />
          <figcaption className="text-sm text-ink-soft">{t("cover.narrow")}</figcaption>
        </figure>
      </div>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" onClick={onRemove}>
          {t("cover.remove")}
        </Button>
        <Button onClick={() => onSave(point)}>{t("cover.save")}</Button>
      </div>
    </div>
  );
}
