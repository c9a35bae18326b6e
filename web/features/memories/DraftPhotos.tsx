import { useTranslation } from "react-i18next";
import { AddPhotosButton } from "./photos/AddPhotosButton.tsx";
import { DropAnywhere } from "./photos/DropAnywhere.tsx";
import { StoredTile } from "./photos/StoredTile.tsx";
import { UploadSummary } from "./photos/UploadSummary.tsx";
import { UploadTile } from "./photos/UploadTile.tsx";
import type { DraftPhotosState } from "./use-draft-photos.ts";

/** The photos of a memory in the making, each with its progress, and the whole with the time left. */
export function DraftPhotos({ photos }: { photos: DraftPhotosState }) {
  const { t } = useTranslation("media");
  const { stored, urls, onTheirWay, overall, timeLeft, waiting, cover, add, remove } = photos;
  const some = stored.length + onTheirWay.length > 0;
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
      <UploadSummary overall={overall} timeLeft={timeLeft} />
      {some && (
        <ul className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3 sm:gap-3">
          {stored.map((photo) => (
            <StoredTile
              key={photo.id}
              photo={photo}
              url={urls[photo.object_name]}
              isCover={photo.id === cover?.id}
              onCover={() => photos.chooseStored(photo)}
              onDelete={() => remove(photo)}
            />
          ))}
          {onTheirWay.map((upload) => (
            <UploadTile key={upload.id} upload={upload} onCover={() => photos.chooseOnItsWay(upload.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}
