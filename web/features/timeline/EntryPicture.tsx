import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { FROM_GALLERY, photoSearch } from "../../media/use-photo-route.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";

const WIDEST = 2;
const NARROWEST = 0.75;

/** Renders an entry's photo as a link to the lightbox, or nothing if the photo was deleted. */
export function EntryPicture({ id, media }: { id: string | null; media: KnownMedia }) {
  const { t } = useTranslation("stories");
  const text = usePhotoText();
  const photo = id === null ? null : media(id);
  if (!photo) return null;
  const ratio = photo.width && photo.height ? photo.width / photo.height : 1.5;
  return (
    <Link
      to={{ search: photoSearch(photo.id) }}
      state={FROM_GALLERY}
      preventScrollReset
      aria-label={t("read.openPhoto", { photo: text(photo) })}
      className="block w-full max-w-72 overflow-hidden rounded-lg @lg:w-56"
      style={{ aspectRatio: Math.min(WIDEST, Math.max(NARROWEST, ratio)) }}
    >
      <Picture
        photo={photo}
        src={photo.url && renditionUrl(photo.url, 320)}
        srcSet={photo.url && renditionSrcSet(photo.url, photo.width)}
        sizes="18rem"
        alt=""
        className="size-full"
      />
    </Link>
  );
}
