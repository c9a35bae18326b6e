import { ImageOff } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Photo } from "../../../media/media.queries.ts";
import { Picture } from "../Picture.tsx";
import { tileId, usePhotoText } from "../photo-text.ts";
import { renditionSrcSet, renditionUrl } from "../rendition-url.ts";
import { FROM_GALLERY, photoSearch } from "../use-photo-route.ts";
import type { Box } from "./justified-layout.ts";

interface PhotoTileProps {
  photo: Photo;
  url: string | undefined;
  box: Box;
  eager: boolean;
  onFailed: () => void;
}

/** One photo of the gallery, at its place; it opens in the lightbox. */
export const PhotoTile = memo(function PhotoTile({ photo, url, box, eager, onFailed }: PhotoTileProps) {
  const { t } = useTranslation("media");
  const text = usePhotoText()(photo);
  const ready = photo.state === "ready" && url;
  return (
    <li className="absolute" style={box}>
      <Link
        id={tileId(photo.id)}
        to={{ search: photoSearch(photo.id) }}
        state={FROM_GALLERY}
        preventScrollReset
        aria-label={t("open", { photo: text })}
        className="block size-full overflow-hidden rounded-md"
      >
        <Picture
          photo={photo}
          src={ready ? renditionUrl(url, 640) : undefined}
          srcSet={ready ? renditionSrcSet(url, photo.width) : undefined}
          sizes={`${box.width}px`}
          alt=""
          eager={eager}
          onFailed={onFailed}
          className="size-full"
        >
          {photo.state === "waiting" && (
            <span className="absolute inset-0 grid place-content-center bg-line p-2 text-center text-sm text-ink-soft motion-safe:animate-breathe">
              {t("waiting")}
            </span>
          )}
          {photo.state === "broken" && (
            <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 bg-sunken p-2 text-center text-sm text-ink-soft">
              <ImageOff aria-hidden className="size-6" />
              <span className="line-clamp-2 break-all">{photo.file_name}</span>
            </span>
          )}
        </Picture>
      </Link>
    </li>
  );
});
