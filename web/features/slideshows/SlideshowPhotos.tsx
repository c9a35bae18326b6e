import { ImagePlus, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import type { PhotoOrder } from "../../data/photo-order.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { ArrangeList } from "../../ui/ArrangeList.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ChoosePhotos } from "./ChoosePhotos.tsx";

interface SlideshowPhotosProps {
  /** The memory's photos. */
  all: readonly Photo[];
  order: PhotoOrder;
  /** The photos of the slideshow, in their order. */
  photos: readonly Photo[];
  onChange: (ids: string[]) => void;
}

/** The photos of a slideshow: chosen, moved with a pointer or the keyboard, and taken out. */
export function SlideshowPhotos({ all, order, photos, onChange }: SlideshowPhotosProps) {
  const { t } = useTranslation("slideshows");
  const text = usePhotoText();
  const [choosing, setChoosing] = useState(false);
  const ids = photos.map(({ id }) => id);
  const labels = useMemo(
    () => ({
      handle: (name: string) => t("order.move", { name }),
      taken: (name: string) => t("order.taken", { name }),
      at: (place: number, count: number) => t("order.at", { place, count }),
      put: (place: number, count: number) => t("order.put", { place, count }),
      returned: t("order.left"),
    }),
    [t],
  );
  const takeOut = (photo: Photo) => {
    onChange(ids.filter((id) => id !== photo.id));
    toast({ title: t("takenOut"), action: { label: t("undo"), onSelect: () => onChange(ids) } });
  };
  return (
    <section aria-label={t("photosTitle")} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-serif text-2xl">{t("photosTitle")}</h3>
        <Button icon={ImagePlus} variant="quiet" size="small" onClick={() => setChoosing(true)}>
          {t("choose.open")}
        </Button>
      </div>
      {photos.length === 0 ? (
        <p className="text-ink-soft">{t("noPhotos")}</p>
      ) : (
        <ArrangeList
          name="slideshow"
          items={photos}
          nameOf={text}
          arranging={photos.length > 1}
          onArrange={onChange}
          labels={labels}
          className="m-0 grid list-none grid-cols-2 gap-3 p-0 sm:grid-cols-3 xl:grid-cols-4"
        >
          {(photo, place) => <Tile photo={photo} place={place} name={text(photo)} onTakeOut={() => takeOut(photo)} />}
        </ArrangeList>
      )}
      <Dialog title={t("choose.title")} description={t("choose.text")} open={choosing} onOpenChange={setChoosing}>
        {choosing && (
          <ChoosePhotos
            photos={all}
            order={order}
            chosen={ids}
            onDone={(chosen) => {
              setChoosing(false);
              onChange(chosen);
            }}
          />
        )}
      </Dialog>
    </section>
  );
}

interface TileProps {
  photo: Photo;
  place: number;
  name: string;
  onTakeOut: () => void;
}

function Tile({ photo, place, name, onTakeOut }: TileProps) {
  const { t } = useTranslation("slideshows");
  const { picture, placeholder } = useMediaUrls(photo);
  return (
    <>
      <Picture
        photo={{ colour: photo.colour, placeholder: placeholder ?? null }}
        src={picture && renditionUrl(picture, 320)}
        sizes="240px"
        alt={name}
        className="aspect-[4/3] w-full rounded-2xl"
      />
      <span
        aria-hidden
        className="absolute bottom-2 left-2 rounded-full bg-black/65 px-2.5 py-0.5 text-sm text-white tabular-nums"
      >
        {place + 1}
      </span>
      <IconButton
        icon={X}
        label={t("takeOut", { name })}
        onClick={onTakeOut}
        className="absolute top-3 left-3 bg-raised text-ink shadow-soft"
      />
    </>
  );
}
