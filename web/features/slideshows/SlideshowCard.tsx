import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import type { Slideshow } from "../../data/slideshows.queries.ts";
import { writtenDuration } from "../../lib/formatting/duration.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { Picture } from "../../media/Picture.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";

interface SlideshowCardProps {
  slideshow: Slideshow;
  photos: readonly Photo[];
  onPlay: () => void;
}

/** A slideshow's first photo, name and length, which plays it when it is pressed. */
export function SlideshowCard({ slideshow, photos, onPlay }: SlideshowCardProps) {
  const { t } = useTranslation("slideshows");
  const [first] = photos;
  const { picture, placeholder } = useMediaUrls(first);
  return (
    <button
      type="button"
      aria-label={t("card.play", { title: slideshow.title })}
      onClick={onPlay}
      className="group grid w-72 cursor-pointer overflow-hidden rounded-3xl border border-line bg-raised text-start shadow-soft"
    >
      <Picture
        photo={{ colour: first?.colour ?? null, placeholder: placeholder ?? null }}
        src={picture && renditionUrl(picture, 640)}
        sizes="288px"
        alt=""
        className="aspect-video w-full"
      >
        <span
          aria-hidden
          className="absolute inset-0 m-auto grid size-14 place-content-center rounded-full bg-black/65 text-white transition-transform duration-200 ease-out group-hover:scale-110 motion-reduce:transition-none"
        >
          <Play className="size-7 translate-x-0.5 fill-current" />
        </span>
      </Picture>
      <span className="grid gap-0.5 px-5 py-4">
        <span dir="auto" className="truncate font-semibold">
          {slideshow.title}
        </span>
        <span className="text-sm text-ink-soft">
          {t("card.length", {
            photos: t("photos", { count: photos.length }),
            time: writtenDuration(photos.length * slideshow.pace),
          })}
        </span>
      </span>
    </button>
  );
}
