import { Download, Ellipsis, EyeOff, Flag, Info, Pause, Play, Star, Timer, Trash2, X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { downloadUrl } from "../../../../lib/rendition-url.ts";
import { saveFrom } from "../../../../lib/save-file.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { Menu, MenuChoice, MenuItem } from "../../../../ui/Menu.tsx";
import type { Photo } from "../../../media/media.queries.ts";
import { useNear } from "../near.ts";
import { type Slideshow, SPEEDS } from "./use-slideshow.ts";

/** How the buttons of the bar look. */
export const BAR_BUTTON = "hover:bg-white/15! hover:text-white!";

interface LightboxBarProps {
  title: string;
  photo: Photo;
  may: { change: boolean; download: boolean };
  /** Undefined where there is nothing to go on to. */
  slideshow: Slideshow | undefined;
  /** Opens what is said of the photo. */
  talk?: ReactNode;
  details: boolean;
  onDetails: () => void;
  onCover: (() => void) | undefined;
  onHide: (() => void) | undefined;
  onReport: (() => void) | undefined;
  onRemove: () => void;
}

/** What can be done with the open photo. */
export function LightboxBar(props: LightboxBarProps) {
  const { title, photo, may, slideshow, talk, details, onDetails, onCover, onHide, onReport, onRemove } = props;
  const { t } = useTranslation(["media", "gallery", "moderation", "reports"]);
  const { url } = useNear(photo);
  const fileName = photo.file_name || photo.type;
  const coverLabel = photo.is_cover ? t("cover.is") : t("cover.use");
  const download = url && may.download ? () => saveFrom(downloadUrl(url, fileName), fileName) : undefined;
  const told = photo.caption || photo.taken_at || may.change;
  return (
    <div className="col-start-1 row-start-1 flex flex-wrap items-center gap-1 px-2 py-1 sm:px-4">
      <Dialog.Title
        aria-live={slideshow?.playing ? "off" : "polite"}
        className="grow px-2 text-base font-normal tabular-nums text-white/85"
      >
        {title}
      </Dialog.Title>
      {slideshow && (
        <>
          {slideshow.playing && (
            <Menu
              trigger={
                <IconButton label={t("gallery:slideshow.speed")} className={BAR_BUTTON}>
                  <Timer aria-hidden className="size-5" />
                </IconButton>
              }
            >
              <MenuChoice
                label={t("gallery:slideshow.speed")}
                value={String(slideshow.seconds)}
                onChange={(chosen) => slideshow.setSeconds(Number(chosen))}
                options={SPEEDS.map((count) => ({
                  value: String(count),
                  label: t("gallery:slideshow.seconds", { count }),
                }))}
              />
            </Menu>
          )}
          <IconButton
            label={slideshow.playing ? t("gallery:slideshow.pause") : t("gallery:slideshow.play")}
            onClick={slideshow.playing ? slideshow.pause : slideshow.play}
            className={BAR_BUTTON}
          >
            {slideshow.playing ? <Pause aria-hidden className="size-5" /> : <Play aria-hidden className="size-5" />}
          </IconButton>
        </>
      )}
      {talk}
      {told && (
        <IconButton
          label={t("gallery:details.show")}
          aria-expanded={details}
          onClick={onDetails}
          className={classNames(BAR_BUTTON, details && "text-teal!")}
        >
          <Info aria-hidden className="size-5" />
        </IconButton>
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
          label={t("lightbox.download")}
          onClick={download}
          className={classNames(BAR_BUTTON, "max-sm:hidden")}
        >
          <Download aria-hidden className="size-5" />
        </IconButton>
      )}
      {may.change && (
        <IconButton label={t("lightbox.delete")} onClick={onRemove} className={classNames(BAR_BUTTON, "max-sm:hidden")}>
          <Trash2 aria-hidden className="size-5" />
        </IconButton>
      )}
      {/* A phone's bar has no room for all of them; what is rarely wanted is here on wider ones too. */}
      {(onCover || download || may.change || onHide || onReport) && (
        <Menu
          trigger={
            <IconButton
              label={t("gallery:details.more")}
              className={classNames(BAR_BUTTON, !onHide && !onReport && "sm:hidden")}
            >
              <Ellipsis aria-hidden className="size-5" />
            </IconButton>
          }
        >
          {onCover && (
            <MenuItem onSelect={onCover}>
              <Star aria-hidden className="size-5" fill={photo.is_cover ? "currentColor" : "none"} />
              {coverLabel}
            </MenuItem>
          )}
          {download && (
            <MenuItem onSelect={download}>
              <Download aria-hidden className="size-5" />
              {t("lightbox.download")}
            </MenuItem>
          )}
          {onHide && (
            <MenuItem onSelect={onHide}>
              <EyeOff aria-hidden className="size-5" />
              {t("moderation:photoHide")}
            </MenuItem>
          )}
          {onReport && (
            <MenuItem onSelect={onReport}>
              <Flag aria-hidden className="size-5" />
              {t("reports:item")}
            </MenuItem>
          )}
          {may.change && (
            <MenuItem tone="danger" onSelect={onRemove}>
              <Trash2 aria-hidden className="size-5" />
              {t("lightbox.delete")}
            </MenuItem>
          )}
        </Menu>
      )}
      <Dialog.Close asChild>
        <IconButton label={t("lightbox.close")} className={BAR_BUTTON}>
          <X aria-hidden className="size-6" />
        </IconButton>
      </Dialog.Close>
    </div>
  );
}
