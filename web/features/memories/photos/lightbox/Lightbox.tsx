import { ChevronLeft, ChevronRight, Download, Star, Trash2, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { saveFrom } from "../../../../lib/save-file.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import type { Photo } from "../../../media/media.queries.ts";
import { writtenDay } from "../../memory-dates.ts";
import { tileId } from "../photo-text.ts";
import { downloadUrl } from "../rendition-url.ts";
import { usePhotoRoute } from "../use-photo-route.ts";
import { LightboxPhoto } from "./LightboxPhoto.tsx";

/** What the memory's owner may do with an open photo. */
export interface PhotoActions {
  chooseCover: (photo: Photo) => void;
  remove: (photo: Photo) => void;
}

interface LightboxProps {
  photos: Photo[];
  urls: Record<string, string>;
  actions?: PhotoActions;
  onFailed: () => void;
}

const BAR_BUTTON = "hover:bg-white/15! hover:text-white!";

/** The photo that the address names, over the whole window; closed where it names none. */
export function Lightbox({ photos, urls, actions, onFailed }: LightboxProps) {
  const { t, i18n } = useTranslation("media");
  const { openId, show, close } = usePhotoRoute();
  const index = photos.findIndex((photo) => photo.id === openId);
  const photo = photos[index];
  const [previous, next] = [photos[index - 1], photos[index + 1]];

  const neighbours = useMemo(
    () =>
      [next, previous].flatMap((near) => {
        const url = near && urls[near.object_name];
        return near && url ? [{ photo: near, url }] : [];
      }),
    [next, previous, urls],
  );

  if (!photo) return null;
  const move = (to: Photo | undefined) => to && show(to.id);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: previous, ArrowRight: next, Home: photos[0], End: photos.at(-1) }[event.key];
    if (!to) return;
    event.preventDefault();
    move(to);
  };
  const remove = () => {
    // The way back is offered on the page, where an open window lets nobody reach it.
    close();
    actions?.remove(photo);
  };
  const url = urls[photo.object_name];
  const fileName = photo.file_name || "photo";
  const title = t("lightbox.title", { number: index + 1, count: photos.length });

  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            // The stage itself takes the focus: no button lights up before anybody uses the keyboard.
            event.preventDefault();
            (event.target as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const near = next ?? previous;
            const tile =
              document.getElementById(tileId(photo.id)) ?? (near && document.getElementById(tileId(near.id)));
            tile?.focus();
          }}
          className="fixed inset-0 z-50 grid grid-rows-[auto_minmax(0,1fr)_auto] bg-[#070b12] text-white outline-none motion-safe:animate-fade-in"
        >
          <div className="flex items-center gap-1 px-2 py-1 sm:px-4">
            <Dialog.Title aria-live="polite" className="grow px-2 text-base font-normal tabular-nums text-white/85">
              {title}
            </Dialog.Title>
            {actions && photo.state === "ready" && (
              <IconButton
                label={photo.is_cover ? t("cover.is") : t("cover.use")}
                aria-pressed={photo.is_cover}
                onClick={() => actions.chooseCover(photo)}
                className={classNames(BAR_BUTTON, photo.is_cover && "text-teal!")}
              >
                <Star aria-hidden className="size-5" fill={photo.is_cover ? "currentColor" : "none"} />
              </IconButton>
            )}
            {url && (
              <IconButton
                label={t("lightbox.download")}
                onClick={() => saveFrom(downloadUrl(url, fileName), fileName)}
                className={BAR_BUTTON}
              >
                <Download aria-hidden className="size-5" />
              </IconButton>
            )}
            {actions && (
              <IconButton label={t("lightbox.delete")} onClick={remove} className={BAR_BUTTON}>
                <Trash2 aria-hidden className="size-5" />
              </IconButton>
            )}
            <Dialog.Close asChild>
              <IconButton label={t("lightbox.close")} className={BAR_BUTTON}>
                <X aria-hidden className="size-6" />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className="relative min-h-0">
            <LightboxPhoto
              key={photo.id}
              photo={photo}
              url={url}
              neighbours={neighbours}
              brokenText={actions ? t("broken") : t("brokenVisitor")}
              onMove={(meaning) => (meaning === "close" ? close() : move(meaning === "next" ? next : previous))}
              onFailed={onFailed}
            />
            {/* Beside the photo where there is room, under it on a phone, where a swipe begins at the edges. */}
            <Arrow
              side="left"
              to={previous}
              onMove={move}
              className="absolute top-1/2 left-3 -translate-y-1/2 max-sm:hidden"
            />
            <Arrow
              side="right"
              to={next}
              onMove={move}
              className="absolute top-1/2 right-3 -translate-y-1/2 max-sm:hidden"
            />
          </div>
          <div className="flex min-h-14 items-center justify-between gap-2 px-2 pb-[env(safe-area-inset-bottom)]">
            <Arrow side="left" to={previous} onMove={move} className="sm:hidden" />
            <p className="grow text-center text-sm text-white/75">
              {photo.taken_at && t("lightbox.taken", { date: writtenDay(photo.taken_at.slice(0, 10), i18n.language) })}
            </p>
            <Arrow side="right" to={next} onMove={move} className="sm:hidden" />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ArrowProps {
  side: "left" | "right";
  to: Photo | undefined;
  onMove: (photo: Photo | undefined) => void;
  className: string;
}

function Arrow({ side, to, onMove, className }: ArrowProps) {
  const { t } = useTranslation("media");
  const Icon = side === "left" ? ChevronLeft : ChevronRight;
  return (
    <IconButton
      label={side === "left" ? t("lightbox.previous") : t("lightbox.next")}
      onClick={() => onMove(to)}
      className={classNames("size-12 bg-black/45 hover:bg-black/75! hover:text-white!", !to && "invisible", className)}
    >
      <Icon aria-hidden className="size-7" />
    </IconButton>
  );
}
