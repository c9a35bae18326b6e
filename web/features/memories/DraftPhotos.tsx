import { ImageOff, Star, X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import { uploadIdOf } from "../../data/photo.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import type { MediaUrlCache } from "../../media/media-url-cache.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { FilePreview } from "../../media/uploads/UploadRow.tsx";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { type UploadQueue, type UploadView, useFileProgress } from "../../media/uploads/use-uploads.ts";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import type { DraftPhotosState } from "./use-draft-photos.ts";

const TILES = 30;

/** The photos of a draft: stored ones, and uploads with their progress. */
export function DraftPhotos({ photos }: { photos: DraftPhotosState }) {
  const { t } = useTranslation("media");
  const { stored, urls, uploads, waiting, cover, add, remove } = photos;
  // The number of rendered tiles is limited, because more pictures would make typing slow.
  const [tiles, setTiles] = useState(TILES);
  const some = stored.length + uploads.files.length > 0;
  const listed = useMemo(() => new Set(stored.map(uploadIdOf)), [stored]);
  const byId = useMemo(() => new Map(uploads.files.map((file) => [file.id, file])), [uploads.files]);
  const onTheirWay = uploads.files.filter(
    ({ id, state }) => !/failed|duplicate|needsFile/.test(state) && !listed.has(id),
  );
  const count = stored.length + onTheirWay.length;
  const room = Math.max(0, tiles - onTheirWay.length);
  return (
    <section aria-labelledby="draft-photos" className="grid content-start gap-4">
      <DropAnywhere onFiles={add} />
      <h2 id="draft-photos" className="font-semibold">
        {t("photos")}
      </h2>
      <div className="grid justify-items-center gap-3 rounded-3xl border-2 border-dashed border-edge/60 bg-sunken/60 px-6 pt-6 pb-3 text-center">
        <AddPhotosButton variant="quiet" onFiles={add} aria-busy={waiting}>
          {some ? t("add") : t("choose")}
        </AddPhotosButton>
        <p className="hidden text-ink-soft sm:block">{t("orDrop")}</p>
        <details className="text-sm text-ink-soft">
          <summary className="inline-flex min-h-11 cursor-pointer list-none items-center rounded-lg underline underline-offset-4 [&::-webkit-details-marker]:hidden">
            {t("whichFiles")}
          </summary>
          <p>{t("dropHint")}</p>
        </details>
      </div>
      <UploadTray uploads={uploads} tiled />
      {count > 0 && (
        // One scrollable row on narrow windows, so that many photos do not push the name field far down.
        <ul className="flex gap-2 overflow-x-auto sm:gap-3 lg:grid lg:grid-cols-3">
          {onTheirWay.slice(0, tiles).map((file) => (
            <UploadTile
              key={file.id}
              queue={uploads.queue}
              upload={file}
              onCover={() => photos.chooseOnItsWay(file.id)}
            />
          ))}
          {stored.slice(0, room).map((photo) => (
            <StoredTile
              key={photo.id}
              photo={photo}
              urls={urls}
              upload={byId.get(uploadIdOf(photo))}
              isCover={photo.id === cover?.id}
              onCover={() => photos.chooseStored(photo)}
              onRemove={() => remove([photo])}
            />
          ))}
        </ul>
      )}
      {count > tiles && (
        <Button variant="plain" className="justify-self-start" onClick={() => setTiles(tiles + 2 * TILES)}>
          {t("showMore", { count: count - tiles })}
        </Button>
      )}
    </section>
  );
}

const ON_PHOTO = "bg-black/55 text-white hover:bg-black/80! hover:text-white!";

interface StoredTileProps {
  photo: Photo;
  urls: MediaUrlCache;
  /** The photo's upload. Its local file is shown until the server's picture has loaded. */
  upload?: UploadView;
  isCover: boolean;
  onCover: () => void;
  onRemove: () => void;
}

/** A stored photo of a draft. */
function StoredTile({ photo, urls, upload, isCover, onCover, onRemove }: StoredTileProps) {
  const { picture, placeholder } = useMediaUrls(photo, urls);
  const ready = photo.state === "ready" && picture;
  const broken = photo.state === "broken";
  return (
    <Tile name={photo.file_name} isCover={isCover} onCover={broken ? undefined : onCover} onRemove={onRemove}>
      {!ready && !broken && upload && <FilePreview upload={upload} className="absolute inset-0 size-full" />}
      <Picture
        photo={{ colour: upload ? null : photo.colour, placeholder }}
        src={ready ? renditionUrl(picture, 320) : undefined}
        srcSet={ready ? renditionSrcSet(picture, photo.width) : undefined}
        sizes="(min-width: 640px) 180px, 33vw"
        alt={usePhotoText()(photo)}
        className={classNames("size-full", !ready && !broken && upload && "bg-transparent")}
      >
        {broken && (
          <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 p-2 text-center text-sm text-ink-soft">
            <ImageOff aria-hidden className="size-6" />
            <span dir="auto" className="line-clamp-2 break-all">
              {photo.file_name}
            </span>
          </span>
        )}
      </Picture>
    </Tile>
  );
}

interface UploadTileProps {
  queue: UploadQueue;
  upload: UploadView;
  onCover: () => void;
}

/** An upload of a draft with its local preview. */
function UploadTile({ queue, upload, onCover }: UploadTileProps) {
  const { t } = useTranslation("media");
  const { id, name, size, state, type, asCover } = upload;
  const { sent } = useFileProgress(queue, upload);
  const fraction = Math.min(1, sent / Math.max(1, size));
  return (
    <Tile
      name={name}
      isCover={asCover}
      onCover={type.startsWith("image/") ? onCover : undefined}
      onRemove={() => queue.remove([id])}
    >
      <FilePreview upload={upload} className="size-full" />
      {state !== "stored" && (
        <>
          <span className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/75 px-2 pt-6 pb-3 text-sm leading-tight text-white">
            {state !== "uploading" && state !== "failed" && t(`upload.${state}`)}
          </span>
          <span
            role="progressbar"
            aria-label={t("upload.file", { name })}
            aria-valuenow={Math.min(99, Math.round(fraction * 100))}
            className="absolute inset-x-2 bottom-1.5 h-1 overflow-hidden rounded-full bg-white/40"
          >
            <span
              className="block h-full origin-left bg-white transition-transform duration-200 ease-out"
              style={{ transform: `scaleX(${fraction})` }}
            />
          </span>
        </>
      )}
    </Tile>
  );
}

interface TileProps {
  name: string;
  isCover: boolean;
  /** Undefined if the photo cannot become the cover. */
  onCover: (() => void) | undefined;
  onRemove: () => void;
  children: ReactNode;
}

function Tile({ name, isCover, onCover, onRemove, children }: TileProps) {
  const { t } = useTranslation("media");
  return (
    <li className="relative aspect-square overflow-hidden rounded-xl max-lg:w-36 max-lg:shrink-0">
      {children}
      <div className="absolute inset-x-0 top-0 flex justify-between p-1">
        {onCover && (
          <IconButton
            label={isCover ? t("cover.is") : t("cover.useFile", { name })}
            aria-pressed={isCover}
            onClick={onCover}
            className={classNames(ON_PHOTO, isCover && "bg-teal! text-night!")}
          >
            <Star aria-hidden className="size-5" fill={isCover ? "currentColor" : "none"} />
          </IconButton>
        )}
        <IconButton
          icon={X}
          label={t("upload.remove", { name })}
          onClick={onRemove}
          className={classNames(ON_PHOTO, "ms-auto")}
        />
      </div>
      {isCover && (
        <span className="absolute bottom-3 left-2 rounded-full bg-teal px-3 py-0.5 text-sm font-semibold text-night">
          {t("cover.is")}
        </span>
      )}
    </li>
  );
}
