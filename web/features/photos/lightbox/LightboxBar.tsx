import { Download, Heart, Info, Pause, Play, Star, Timer, Trash2, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu } from "../../../ui/Menu.tsx";
import { type AskingNotMe, BAR_BUTTON, type Editing, LightboxMenu, SlideshowSpeed } from "./LightboxMenu.tsx";
import type { Slideshow } from "./use-slideshow.ts";

interface LightboxBarProps {
  title: string;
  photo: Photo;
  may: { change: boolean; download: boolean };
  /** Downloads a live photo with its video; undefined without a video. */
  onDownloadBoth: (() => void) | undefined;
  /** Undefined if the browser has no share sheet for files. */
  onShare: (() => void) | undefined;
  /** Undefined if there is no other photo. */
  slideshow: Slideshow | undefined;
  /** The reader's heart; undefined if they may give none. */
  heart: { mine: boolean; onToggle: () => void } | undefined;
  /** The button that opens the photo's comments. */
  comments?: ReactNode;
  details: boolean;
  onDetails: () => void;
  onCover: (() => void) | undefined;
  /** Undefined if the reader may not edit the photo. */
  editing: Editing | undefined;
  onHide: (() => void) | undefined;
  onReport: (() => void) | undefined;
  /** Undefined for managers, who decide themselves. */
  asking: AskingNotMe | undefined;
  onRemove: () => void;
}

/** Renders the actions on the open photo. */
export function LightboxBar(props: LightboxBarProps) {
  const {
    title,
    photo,
    may,
    onDownloadBoth,
    onShare,
    slideshow,
    heart,
    comments,
    details,
    onDetails,
    onCover,
    editing,
    onHide,
    onReport,
    asking,
    onRemove,
  } = props;
  const { t } = useTranslation(["media", "gallery"]);
  const bar = useRef<HTMLDivElement>(null);
  const playing = slideshow?.playing ?? false;
  // If the focused stop button disappears from a phone's bar, the dialog gets the focus and so keeps receiving keys.
  useEffect(() => {
    const { activeElement } = document;
    if (!playing && bar.current?.contains(activeElement) && activeElement?.clientWidth === 0) {
      bar.current.closest<HTMLElement>("[role=dialog]")?.focus();
    }
  }, [playing]);
  const { url } = useKnownMediaUrls(photo);
  const fileName = photo.file_name || photo.type;
  const coverLabel = photo.is_cover ? t("cover.is") : t("cover.use");
  const saveAs = (shown: boolean) => url && saveFrom(downloadUrl(url, fileName, { shown }), fileName);
  const save = () => saveAs(photo.edit !== null);
  const download = url && may.download ? (onDownloadBoth ?? save) : undefined;
  const hasDetails = photo.caption || photo.taken_at || may.change;
  return (
    // The bar fits in one row on the narrowest phones; the menu has the other actions.
    <div ref={bar} className="col-start-1 row-start-1 flex min-w-0 items-center px-2 py-1 sm:gap-1 sm:px-4">
      <Dialog.Title
        aria-live={playing ? "off" : "polite"}
        className="min-w-0 grow truncate px-1 text-sm font-normal tabular-nums text-white/85 sm:px-2 sm:text-base"
      >
        {title}
      </Dialog.Title>
      {slideshow && (
        <>
          {slideshow.playing && (
            <Menu
              trigger={
                <IconButton
                  icon={Timer}
                  label={t("gallery:slideshow.speed")}
                  className={classNames(BAR_BUTTON, "max-sm:hidden")}
                />
              }
            >
              <SlideshowSpeed slideshow={slideshow} />
            </Menu>
          )}
          <IconButton
            icon={slideshow.playing ? Pause : Play}
            label={slideshow.playing ? t("gallery:slideshow.pause") : t("gallery:slideshow.play")}
            onClick={slideshow.playing ? slideshow.pause : slideshow.play}
            className={classNames(BAR_BUTTON, !slideshow.playing && "max-sm:hidden")}
          />
        </>
      )}
      {heart && (
        <IconButton
          label={t("gallery:hearts.mine")}
          aria-pressed={heart.mine}
          onClick={heart.onToggle}
          className={classNames(BAR_BUTTON, playing && "max-sm:hidden")}
        >
          <Heart aria-hidden className={classNames("size-5", heart.mine && "fill-[#ff6b88] text-[#ff6b88]")} />
        </IconButton>
      )}
      {comments}
      {hasDetails && (
        <IconButton
          icon={Info}
          label={t("gallery:details.show")}
          aria-expanded={details}
          onClick={onDetails}
          className={classNames(BAR_BUTTON, details && "text-teal!", playing && "max-sm:hidden")}
        />
      )}
      {onCover && (
        <IconButton
          label={coverLabel}
          aria-pressed={photo.is_cover}
          onClick={onCover}
          className={classNames(BAR_BUTTON, "max-sm:hidden", photo.is_cover && "text-teal!")}
        >
          <Star aria-hidden className="size-5" fill={photo.is_cover ? "currentColor" : "none"} />
        </IconButton>
      )}
      {download && (
        <IconButton
          icon={Download}
          label={t("lightbox.download")}
          onClick={download}
          className={classNames(BAR_BUTTON, "max-sm:hidden")}
        />
      )}
      {may.change && (
        <IconButton
          icon={Trash2}
          label={t("lightbox.delete")}
          onClick={onRemove}
          className={classNames(BAR_BUTTON, "max-sm:hidden")}
        />
      )}
      <LightboxMenu
        photo={photo}
        slideshow={slideshow}
        onCover={onCover}
        editing={editing}
        onDownload={download}
        onOriginal={photo.edit && download && may.change ? () => saveAs(false) : undefined}
        onShare={download && onShare}
        onHide={onHide}
        onReport={onReport}
        asking={asking}
        onRemove={may.change ? onRemove : undefined}
      />
      <Dialog.Close asChild>
        <IconButton label={t("lightbox.close")} className={BAR_BUTTON}>
          <X aria-hidden className="size-6" />
        </IconButton>
      </Dialog.Close>
    </div>
  );
}
