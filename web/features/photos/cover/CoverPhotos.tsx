import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { descriptionOf } from "../../../data/photo.ts";
import { inOrder, type PhotoOrder } from "../../../data/photo-order.ts";
import { PhotoChoice } from "../../../media/PhotoChoice.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";

const PAGE = 60;

interface CoverPhotosProps {
  photos: readonly Photo[];
  order: PhotoOrder;
  onChoose: (photo: Photo) => void;
}

/** Renders a memory's photos in the page's order, of which one is chosen as the cover. */
export function CoverPhotos({ photos, order, onChoose }: CoverPhotosProps) {
  const { t, i18n } = useTranslation("gallery");
  const [pages, setPages] = useState(1);
  const choices = useMemo(
    () => inOrder(photos, order).filter(({ type, state }) => type === "image" && state === "ready"),
    [photos, order],
  );
  if (choices.length === 0) return <p>{t("cover.none")}</p>;
  const labelOf = (photo: Photo, index: number) => {
    const { taken_at } = photo;
    const about = [descriptionOf(photo), taken_at && writtenDate(taken_at, i18n.language)].filter(Boolean).join(", ");
    return [t("cover.photo", { number: index + 1 }), about].filter(Boolean).join(": ");
  };
  return (
    <ul className="m-0 grid max-h-[55dvh] list-none grid-cols-3 gap-2 overflow-y-auto p-1 sm:grid-cols-4">
      {choices.slice(0, pages * PAGE).map((photo, index) => (
        <li key={photo.id}>
          <PhotoChoice
            photo={photo}
            label={labelOf(photo, index)}
            chosen={photo.is_cover}
            onChoose={() => onChoose(photo)}
          />
        </li>
      ))}
      <li className="col-span-full empty:hidden">
        <LoadMore
          label={t("cover.more")}
          pages={{
            hasNextPage: choices.length > pages * PAGE,
            isFetchingNextPage: false,
            isFetchNextPageError: false,
            fetchNextPage: () => setPages((before) => before + 1),
          }}
        />
      </li>
    </ul>
  );
}
