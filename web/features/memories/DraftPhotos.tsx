import { ImageOff, Star, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import type { MediaUrlCache } from "../../media/media-url-cache.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import type { DraftPhotosState } from "./use-draft-photos.ts";

const TILES = 30;

/** The photos of a memory in the making: those on their way, each with its progress, and those that are there. */
export function DraftPhotos({ photos }: { photos: DraftPhotosState }) {
  const { t } = useTranslation("media");
  const { stored, urls, uploads, waiting, cover, add, remove } = photos;
  // Hundreds of pictures would make writing beside them slow.
  const [tiles, setTiles] = useState(TILES);
  const some = stored.length + uploads.files.length > 0;
  return (
    <section aria-labelledby="draft-photos" className="grid content-start gap-4">
      <DropAnywhere onFiles={add} />
      <h2 id="draft-photos" className="font-semibold">
        {t("photos")}
      </h2>
      <div className="grid justify-items-center gap-3 rounded-3xl border-2 border-dashed border-edge/60 bg-sunken/60 px-6 py-8 text-center">
        <AddPhotosButton variant="quiet" onFiles={add} aria-busy={waiting}>
          {some ? t("add") : t("choose")}
        </AddPhotosButton>
        <p className="hidden text-ink-soft sm:block">{t("orDrop")}</p>
        {!some && <p className="text-sm text-ink-soft">{t("dropHint")}</p>}
      </div>
      <UploadTray uploads={uploads} onCover={photos.chooseOnItsWay} />
      {stored.length > 0 && (
        <ul className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3 sm:gap-3">
          {stored.slice(0, tiles).map((photo) => (
            <StoredTile
              key={photo.id}
              photo={photo}
              urls={urls}
              isCover={photo.id === cover?.id}
              onCover={() => photos.chooseStored(photo)}
              onDelete={() => remove([photo])}
            />
          ))}
        </ul>
      )}
      {stored.length > tiles && (
        <Button variant="plain" onClick={() => setTiles(tiles + 2 * TILES)}>
          {t("showMore", { count: stored.length - tiles })}
        </Button>
      )}
    </section>
  );
}

const ON_PHOTO = "bg-black/55 text-white hover:bg-black/80! hover:text-white!";

interface StoredTileProps {
  photo: Photo;
  urls: MediaUrlCache;
  isCover: boolean;
  onCover: () => void;
  onDelete: () => void;
}

/** A stored photo among those on their way, while a memory is being made. */
function StoredTile({ photo, urls, isCover, onCover, onDelete }: StoredTileProps) {
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
