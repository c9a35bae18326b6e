import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { uploadIdOf } from "../../data/photo.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { Button } from "../../ui/Button.tsx";
import { StoredTile, UploadTile } from "./DraftTile.tsx";
import type { DraftPhotosState } from "./use-draft-photos.ts";

const TILES = 30;

/** The photos of a memory in the making: those on their way, each with its progress, and those that are there. */
export function DraftPhotos({ photos }: { photos: DraftPhotosState }) {
  const { t } = useTranslation("media");
  const { stored, urls, uploads, waiting, cover, add, remove } = photos;
  // Hundreds of pictures would make writing beside them slow.
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
      <div className="grid justify-items-center gap-3 rounded-3xl border-2 border-dashed border-edge/60 bg-sunken/60 px-6 py-8 text-center">
        <AddPhotosButton variant="quiet" onFiles={add} aria-busy={waiting}>
          {some ? t("add") : t("choose")}
        </AddPhotosButton>
        <p className="hidden text-ink-soft sm:block">{t("orDrop")}</p>
        {!some && <p className="text-sm text-ink-soft">{t("dropHint")}</p>}
      </div>
      <UploadTray uploads={uploads} tiled />
      {count > 0 && (
        // One row to be scrolled where the name comes under it, so that many photos do not keep it away.
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
