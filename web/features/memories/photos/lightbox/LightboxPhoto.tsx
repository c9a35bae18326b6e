import { ImageOff, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../../ui/class-names.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import type { Photo } from "../../../media/media.queries.ts";
import { Picture } from "../Picture.tsx";
import { usePhotoText } from "../photo-text.ts";
import { renditionSrcSet, renditionUrl } from "../rendition-url.ts";
import { useZoom } from "./use-zoom.ts";

interface LightboxPhotoProps {
  photo: Photo;
  url: string | undefined;
  /** Loaded quietly, so that moving on shows them at once. */
  neighbours: { photo: Photo; url: string }[];
  brokenText: string;
  onMove: (meaning: "previous" | "next" | "close") => void;
  onFailed: () => void;
}

/** The open photo on its stage, to be enlarged and swiped. */
export function LightboxPhoto({ photo, url, neighbours, brokenText, onMove, onFailed }: LightboxPhotoProps) {
  const { t } = useTranslation("media");
  const text = usePhotoText()(photo);
  const size = { width: photo.width ?? 4, height: photo.height ?? 3 };
  const { stage, view, toggle, transform, moving, handlers } = useZoom({ photo: size, onSwipe: onMove });

  useEffect(() => {
    for (const neighbour of neighbours) {
      const image = new Image();
      image.sizes = "100vw";
      image.srcset = renditionSrcSet(neighbour.url, neighbour.photo.width);
    }
  }, [neighbours]);

  if (photo.state === "waiting") {
    return <p className="grid size-full place-content-center text-white/85">{t("waiting")}</p>;
  }
  if (photo.state === "broken") {
    return (
      <div className="grid size-full place-content-center justify-items-center gap-3 px-8 text-center text-white/85">
        <ImageOff aria-hidden className="size-10" />
        <p>{brokenText}</p>
        <p className="text-sm break-all text-white/70">{photo.file_name}</p>
      </div>
    );
  }
  const enlarged = view.scale > 1;
  return (
    <>
      <div
        ref={stage}
        className={classNames("size-full touch-none overflow-hidden", enlarged ? "cursor-grab" : "cursor-zoom-in")}
        {...handlers}
      >
        <div
          className={classNames("size-full", !moving && "transition-transform duration-200 ease-out")}
          style={{ transform }}
        >
          <Picture
            photo={photo}
            src={url && renditionUrl(url, 1600)}
            srcSet={url && renditionSrcSet(url, photo.width)}
            sizes={enlarged ? "2560px" : "100vw"}
            alt={text}
            eager
            fit="contain"
            onFailed={onFailed}
            className="size-full"
          />
        </div>
      </div>
      <IconButton
        label={enlarged ? t("lightbox.zoomOut") : t("lightbox.zoomIn")}
        onClick={() => toggle()}
        className="absolute right-3 bottom-3 bg-black/50 hover:bg-black/75! hover:text-white! max-sm:hidden"
      >
        {enlarged ? <ZoomOut aria-hidden className="size-5" /> : <ZoomIn aria-hidden className="size-5" />}
      </IconButton>
    </>
  );
}
