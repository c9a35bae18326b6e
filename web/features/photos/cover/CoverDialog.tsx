import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import { type Photo, useChooseCover, useRestoreCover } from "../../../data/media.queries.ts";
import { type CoverPhoto, type Memory, useChangeMemory } from "../../../data/memories.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import type { MediaUrls } from "../../../data/photo.ts";
import { renditionSrcSet, renditionUrl } from "../../../lib/request/rendition-url.ts";
import { Cover } from "../../../media/covers/MemoryCover.tsx";
import { Picture } from "../../../media/Picture.tsx";
import { MediaUrlCacheProvider, useMediaUrls, useNewMediaUrlCache } from "../../../media/use-media-urls.ts";
import type { MemoryPhotos } from "../../../media/use-memory-photos.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CoverPhotos } from "./CoverPhotos.tsx";

interface CoverDialogProps {
  context: MemoryContext;
  cover: CoverPhoto | null;
  photos: MemoryPhotos;
  open: boolean;
  onClose: () => void;
}

/** Renders the dialog that chooses the cover and sets its focal point, or replaces the cover by the memory's sky. */
export function CoverDialog({ context: { client, memory }, cover, photos, open, onClose }: CoverDialogProps) {
  const { t } = useTranslation("gallery");
  const urls = useNewMediaUrlCache(client);
  const [choosing, setChoosing] = useState(false);
  const [taken, setTaken] = useState<string>();
  const change = useChangeMemory(client, memory.id);
  const choose = useChooseCover(client, memory.id);
  const undoFailed = useUndoProblem();
  const restore = useRestoreCover(client, memory.id);
  const failed = () => toast({ title: t("cover.failed"), tone: "problem" });
  const close = () => {
    setChoosing(false);
    setTaken(undefined);
    onClose();
  };

  const save = ({ x, y }: Point) => {
    change.mutate(
      { cover_x: x, cover_y: y },
      { onError: failed, onSuccess: () => toast({ title: t("cover.saved"), tone: "success" }) },
    );
    close();
  };
  const remove = (taken: CoverPhoto) => {
    const { cover_x, cover_y } = memory;
    const back = () =>
      restore.mutate({ media_id: taken.id, cover_x, cover_y }, { onError: (error) => undoFailed(error, failed) });
    choose.mutate(null, {
      onError: failed,
      onSuccess: () =>
        toast({ title: t("cover.removed"), tone: "success", action: { label: t("move.undo"), onSelect: back } }),
    });
    close();
  };
  const take = (photo: Photo) => {
    choose.mutate(photo.id, { onError: failed });
    setTaken(photo.id);
    setChoosing(false);
  };
  const chosen = choosing ? null : cover;

  return (
    <Dialog
      title={t("cover.title")}
      description={chosen ? t("cover.text") : t("cover.choose")}
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <MediaUrlCacheProvider value={urls}>
        {open && chosen && (
          <CoverForm
            key={chosen.id}
            memory={memory}
            cover={chosen}
            // The stored point belongs to the previous cover until the memory is read again.
            from={chosen.id === taken ? MIDDLE : { x: memory.cover_x, y: memory.cover_y }}
            busy={choose.isPending}
            onSave={save}
            onRemove={() => remove(chosen)}
            onChoose={() => setChoosing(true)}
          />
        )}
        {open && !chosen && <Choice memory={memory} photos={photos} onChoose={take} />}
      </MediaUrlCacheProvider>
    </Dialog>
  );
}

interface ChoiceProps {
  memory: Memory;
  photos: MemoryPhotos;
  onChoose: (photo: Photo) => void;
}

function Choice({ memory, photos: { query, photos, isPart, loadAll }, onChoose }: ChoiceProps) {
  const { t } = useTranslation("media");
  useEffect(() => {
    if (isPart) loadAll();
  }, [isPart, loadAll]);
  if (query.isPending || (isPart && !query.isRefetchError)) return <Skeleton className="h-60" />;
  if (query.isLoadingError || isPart) return <Problem error={new Error(t("failed"))} retry={query.refetch} />;
  return <CoverPhotos photos={photos} order={memory.media_order} onChoose={onChoose} />;
}

interface CoverFormProps {
  memory: Memory;
  cover: CoverPhoto;
  /** The focal point to begin with. */
  from: Point;
  /** Whether the cover is being stored, which resets its focal point. */
  busy: boolean;
  onSave: (point: Point) => void;
  onRemove: () => void;
  /** Called to choose another photo. */
  onChoose: () => void;
}

function CoverForm({ memory, cover, from, busy, onSave, onRemove, onChoose }: CoverFormProps) {
  const { t } = useTranslation("gallery");
  const urls = useMediaUrls(cover);
  const [point, setPoint] = useState(from);
  const newCover = { ...memory, cover_x: point.x, cover_y: point.y };
  return (
    <div className="grid gap-5">
      <FocalPoint cover={cover} urls={urls} point={point} onPoint={setPoint} />
      <div aria-hidden className="flex items-end gap-4">
        <figure className="grid grow gap-1">
          <Cover
            memory={newCover}
            cover={cover}
            urls={urls}
            sizes="400px"
            className="h-24 w-full overflow-hidden rounded-xl"
          />
          <figcaption className="text-sm text-ink-soft">{t("cover.wide")}</figcaption>
        </figure>
        <figure className="grid w-24 shrink-0 gap-1">
          <Cover
            memory={newCover}
            cover={cover}
            urls={urls}
            sizes="96px"
            className="h-24 w-16 overflow-hidden rounded-xl"
          />
          <figcaption className="text-sm text-ink-soft">{t("cover.narrow")}</figcaption>
        </figure>
      </div>
      <div className="flex flex-wrap justify-between gap-3">
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" onClick={onChoose}>
            {t("cover.other")}
          </Button>
          <Button variant="quiet" onClick={onRemove}>
            {t("cover.remove")}
          </Button>
        </div>
        <Button disabled={busy} onClick={() => onSave(point)}>
          {t("cover.save")}
        </Button>
      </div>
    </div>
  );
}

/** A point as fractions (0–1) of a picture's width and height, from the top left. */
interface Point {
  x: number;
  y: number;
}

const MIDDLE: Point = { x: 0.5, y: 0.5 };

/** The step of an arrow key, without and with Shift, as a fraction of the picture. */
const STEP = 0.02;
const LARGE_STEP = 0.1;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Returns the nearest point inside the picture, rounded to thousandths. */
const inside = ({ x, y }: Point): Point => ({ x: share(x), y: share(y) });
const share = (number: number) => Math.round(Math.min(1, Math.max(0, number)) * 1000) / 1000;

interface FocalPointProps {
  cover: CoverPhoto;
  urls: MediaUrls;
  point: Point;
  onPoint: (point: Point) => void;
}

/** Renders the whole cover with its focal point, which the pointer or arrow keys move. */
function FocalPoint({ cover, urls: { picture, placeholder }, point, onPoint }: FocalPointProps) {
  const { t } = useTranslation("gallery");
  const stage = useRef<HTMLDivElement>(null);

  const take = (event: PointerEvent) => {
    const box = stage.current?.getBoundingClientRect();
    if (!box || event.buttons === 0) return;
    onPoint(inside({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onPoint(inside({ x: point.x + way.x * step, y: point.y + way.y * step }));
  };
  const percent = { x: Math.round(point.x * 100), y: Math.round(point.y * 100) };

  return (
    <div className="grid justify-items-center">
      <div
        ref={stage}
        className="relative max-h-[45dvh] max-w-full cursor-crosshair touch-none overflow-hidden rounded-2xl"
        style={{
          aspectRatio: `${cover.width ?? 4} / ${cover.height ?? 3}`,
          width: `min(100%, ${45 * ((cover.width ?? 4) / (cover.height ?? 3))}dvh)`,
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          take(event);
        }}
        onPointerMove={take}
      >
        <Picture
          photo={{ colour: cover.colour, placeholder: cover.placeholder ?? placeholder }}
          src={picture && renditionUrl(picture, 960)}
          srcSet={picture && renditionSrcSet(picture, cover.width)}
          sizes="540px"
          alt=""
          eager
          className="size-full"
        />
        <div
          role="slider"
          tabIndex={0}
          aria-label={t("cover.point")}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent.x}
          aria-valuetext={t("cover.pointAt", percent)}
          onKeyDown={onKeyDown}
          className="absolute size-11 -translate-x-1/2 -translate-y-1/2 rounded-full border-3 border-white bg-teal/40 shadow-lifted ring-2 ring-night/70 outline-offset-4 before:absolute before:inset-[1.05rem] before:rounded-full before:bg-white before:content-['']"
          style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
        />
      </div>
    </div>
  );
}
