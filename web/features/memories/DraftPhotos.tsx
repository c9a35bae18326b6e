import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { Button } from "../../ui/Button.tsx";
import { StoredTile } from "./StoredTile.tsx";
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
