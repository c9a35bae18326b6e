import { useTranslation } from "react-i18next";
import { writtenDate } from "../../shared/written-date.ts";
import type { Photo } from "../data/media.queries.ts";

/**
 * The text alternative of a photo, video or recording: its managers' description, or its kind and date. The description of a
 * recording is what is said in it, which is shown as text.
 */
export function usePhotoText() {
  const { t, i18n } = useTranslation("gallery");
  return ({ type, alt_text, caption, taken_at }: Pick<Photo, "type" | "alt_text" | "caption" | "taken_at">) => {
    const described = (type !== "audio" && alt_text) || caption;
    if (described) return described;
    if (!taken_at) return t(`kinds.${type}`);
    return t(`kinds.${type}On`, { date: writtenDate(taken_at, i18n.language) });
  };
}

/** The element id of a photo's tile, which gets the focus when the lightbox closes. */
export const tileId = (photoId: string) => `photo-${photoId}`;
