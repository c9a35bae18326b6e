import { useTranslation } from "react-i18next";
import { writtenDate } from "../../shared/written-date.ts";
import type { Photo } from "../data/media.queries.ts";
import { descriptionOf, kindOf } from "../data/photo.ts";

/**
 * The text alternative of a photo, video, recording or paper: its managers' description, or its kind and date. The
 * description of a recording is what is said in it, and that of a paper its text; both are shown beside it.
 */
export function usePhotoText() {
  const { t, i18n } = useTranslation("gallery");
  return (photo: Pick<Photo, "type" | "pages" | "alt_text" | "caption" | "taken_at">) => {
    const { taken_at } = photo;
    const kind = kindOf(photo);
    const described = descriptionOf(photo);
    if (described) return described;
    if (!taken_at) return t(`kinds.${kind}`);
    return t(`kinds.${kind}On`, { date: writtenDate(taken_at, i18n.language) });
  };
}

/** The element id of a photo's tile, which gets the focus when the lightbox closes. */
export const tileId = (photoId: string) => `photo-${photoId}`;
