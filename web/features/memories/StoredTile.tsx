import { ImageOff, Star, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import type { MediaUrlCache } from "../../media/media-url-cache.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";

const ON_PHOTO = "bg-black/55 text-white hover:bg-black/80! hover:text-white!";

interface StoredTileProps {
  photo: Photo;
  urls: MediaUrlCache;
  isCover: boolean;
  onCover: () => void;
  onDelete: () => void;
}

/** A stored photo among those on their way, while a memory is being made. */
export function StoredTile({ photo, urls, isCover, onCover, onDelete }: StoredTileProps) {
  const { t } = useTranslation("media");
  const name = photo.file_name;
  const { picture, placeholder } = useMediaUrls(photo, urls);
  const ready = photo.state === "ready" && picture;
  return (
    <li className="relative aspect-square overflow-hidden rounded-xl">
      <Picture
        photo={{ colour: photo.colour, placeholder }}
        src={ready ? renditionUrl(picture, 320) : undefined}
        srcSet={ready ? renditionSrcSet(picture, photo.width) : undefined}
        sizes="(min-width: 640px) 180px, 33vw"
        alt={usePhotoText()(photo)}
        className="size-full"
      >
        {photo.state === "broken" && (
          <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 p-2 text-center text-sm text-ink-soft">
            <ImageOff aria-hidden className="size-6" />
            <span className="line-clamp-2 break-all">{name}</span>
          </span>
        )}
      </Picture>
      <div className="absolute inset-x-0 top-0 flex justify-between p-1">
        {photo.state !== "broken" && (
          <IconButton
            label={isCover ? t("cover.is") : t("cover.useFile", { name })}
            aria-pressed={isCover}
            onClick={onCover}
            className={classNames(ON_PHOTO, isCover && "bg-teal! text-night!")}
          >
            <Star aria-hidden className="size-5" fill={isCover ? "currentColor" : "none"} />
          </IconButton>
        )}
        <IconButton label={t("upload.remove", { name })} onClick={onDelete} className={classNames(ON_PHOTO, "ms-auto")}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      {isCover && (
        <span className="absolute bottom-2 left-2 rounded-full bg-teal px-3 py-0.5 text-sm font-semibold text-night">
          {t("cover.is")}
        </span>
      )}
    </li>
  );
}
