import { useTranslation } from "react-i18next";
import type { Photo } from "../../media/media.queries.ts";
import { writtenDay } from "../memory-dates.ts";

/** What a screen reader says of a photo. */
export function usePhotoText() {
  const { t, i18n } = useTranslation("media");
  return (photo: Photo) =>
    photo.taken_at ? t("photoOn", { date: writtenDay(photo.taken_at.slice(0, 10), i18n.language) }) : t("photo");
}

/** The element's id of a photo's tile, where focus returns when the lightbox closes. */
export const tileId = (photoId: string) => `photo-${photoId}`;
