import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { descriptionOf } from "../../../data/photo.ts";
import { inOrder, type PhotoOrder } from "../../../data/photo-order.ts";
import { PhotoChoices } from "../../../media/PhotoChoices.tsx";

interface CoverPhotosProps {
  photos: readonly Photo[];
  order: PhotoOrder;
  onChoose: (photo: Photo) => void;
}

/** Renders a memory's photos in the page's order, of which one is chosen as the cover. */
export function CoverPhotos({ photos, order, onChoose }: CoverPhotosProps) {
  const { t, i18n } = useTranslation("gallery");
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
    <PhotoChoices
      photos={choices}
      labelOf={labelOf}
      isChosen={({ is_cover }) => is_cover}
      onChoose={onChoose}
      more={t("cover.more")}
    />
  );
}
