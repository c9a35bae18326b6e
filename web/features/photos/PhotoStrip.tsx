import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Photo } from "../../data/media.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { useKnownMediaUrls, useRequestedMedia } from "../../media/use-media-urls.ts";
import type { MemoryPhotos } from "../../media/use-memory-photos.ts";
import { FROM_GALLERY, photoSearch } from "../../media/use-photo-route.ts";
import { LEAST, ON_PHONES, photosOfStrip, STRIP_SIZES } from "./photos-of-strip.ts";

// Limits of a photo's aspect ratio (width / height) in the strip, so that no photo fills the row.
const [NARROWEST, WIDEST] = [0.7, 1.7];
/** Renders a row of photos at the top of a memory's page. `expected`: photo count, to reserve space while loading. */
export function PhotoStrip({ photos, expected }: { photos: MemoryPhotos; expected: number }) {
  const { t } = useTranslation("media");
  const stripPhotos = useMemo(() => photosOfStrip(photos.photos), [photos.photos]);
  const { load } = photos;
  useEffect(() => load(stripPhotos), [load, stripPhotos]);
  useRequestedMedia(useMemo(() => stripPhotos.filter(({ outlined }) => !outlined), [stripPhotos]));
  if (photos.query.isPending ? expected <= LEAST : stripPhotos.length === 0) return null;
  return (
    <ul aria-label={t("strip")} className="m-0 flex h-24 list-none gap-1.5 p-0 sm:h-32 sm:gap-2 print:hidden">
      {stripPhotos.map((photo, index) => (
        <StripPhoto key={photo.id} photo={photo} eager={index < ON_PHONES} />
      ))}
    </ul>
  );
}

function StripPhoto({ photo, eager }: { photo: Photo; eager: boolean }) {
  const { t } = useTranslation("gallery");
  const text = usePhotoText()(photo);
  const { picture, placeholder } = useKnownMediaUrls(photo);
  const ratio = photo.width && photo.height ? photo.width / photo.height : 1;
  const ready = (photo.state === "ready" || photo.type === "video") && picture;
  return (
    <li
      className="min-w-0 basis-0 nth-[n+5]:max-sm:hidden nth-[n+6]:max-lg:hidden"
      style={{ flexGrow: Math.min(WIDEST, Math.max(NARROWEST, ratio)) }}
    >
      <Link
        to={{ search: photoSearch(photo.id) }}
        state={FROM_GALLERY}
        preventScrollReset
        aria-label={t("tile.open", { photo: text })}
        className="block size-full overflow-hidden rounded-lg"
      >
        <Picture
          photo={{ colour: photo.colour, placeholder }}
          src={ready ? renditionUrl(picture, 320) : undefined}
          srcSet={ready ? renditionSrcSet(picture, photo.width) : undefined}
          sizes={STRIP_SIZES}
          alt=""
          eager={eager}
          className="size-full"
        />
      </Link>
    </li>
  );
}
