import { CircleDot, Pause, Play, ZoomIn, ZoomOut } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { useLatest } from "../../../lib/browser/use-latest.ts";
import { backUrl, pageUrl, playableUrl, renditionUrl } from "../../../lib/request/rendition-url.ts";
import { Picture } from "../../../media/Picture.tsx";
import { usePhotoText } from "../../../media/photo-text.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PointLayer } from "../people/PointLayer.tsx";
import { lightboxSrcSet, prefersReducedMotion } from "./animation.ts";
import { TAKES_KEYS, useEndedWhenLeft } from "./use-player.ts";
import { useZoom } from "./use-zoom.ts";

const STEP = 1.5;
/** Zoom factor of each key; 0 shows the whole photo. "=" is the "+" key without Shift. */
const ZOOM_KEYS: Record<string, number> = { "+": STEP, "=": STEP, "-": 1 / STEP, _: 1 / STEP, "0": 0 };

interface LightboxPhotoProps {
  photo: Photo;
  /** The page of a paper, from 1 on. */
  page?: number;
  /** Whether the back of a print is shown, whose size `photo` then has. */
  turned?: boolean;
  onMove: (meaning: "previous" | "next" | "close") => void;
  onZoom: () => void;
  onFailed: () => void;
  /** The names to show on the photo; undefined while names are closed. */
  marks: PhotoMarks | undefined;
}

export type PhotoMarks = Omit<ComponentProps<typeof PointLayer>, "photo">;

/** Renders the open photo or page of a paper, which can be zoomed and swiped. */
export function LightboxPhoto(props: LightboxPhotoProps) {
  const { photo, page = 1, turned = false, onMove, onZoom, onFailed, marks } = props;
  const { t } = useTranslation(["media", "gallery"]);
  const text = usePhotoText()(photo);
  const { picture: first, url } = useKnownMediaUrls(photo);
  const picture = first && (turned ? backUrl(first) : pageUrl(first, page));
  const size = { width: photo.width ?? 4, height: photo.height ?? 3 };
  const { stage, view, toggle, zoom, transform, moving, handlers } = useZoom({ photo: size, onSwipe: onMove });

  const zoomed = view.scale > 1;
  useEffect(() => {
    if (zoomed) onZoom();
  }, [zoomed, onZoom]);

  // The video shows all that the file shows.
  const motion = photo.motion === "ready" && !photo.edit && url ? playableUrl(url) : undefined;
  const [live, setLive] = useState<LiveState>("still");
  const [animates, setAnimates] = useState(() => !prefersReducedMotion());
  const toggleLive = () => {
    if (!motion || live === "unplayable") return;
    onZoom();
    setLive(live === "playing" ? "still" : "playing");
  };

  const keys = useLatest({ zoom, toggleLive });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (hasOwnKeys(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      // The space bar plays the live photo, unless the focused element handles the key.
      const isFree = !(event.target instanceof Element && event.target.closest(TAKES_KEYS));
      if (event.key === "k" || (event.key === " " && isFree)) {
        event.preventDefault();
        keys.current.toggleLive();
      }
      const factor = ZOOM_KEYS[event.key];
      if (factor === undefined) return;
      event.preventDefault();
      keys.current.zoom(factor);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  if (photo.state === "waiting") {
    return <p className="grid size-full place-content-center text-white/85">{t("waiting")}</p>;
  }
  return (
    <>
      <div
        ref={stage}
        className={classNames("size-full touch-none overflow-hidden", zoomed ? "cursor-grab" : "cursor-zoom-in")}
        {...handlers}
      >
        <div
          className={classNames("relative size-full", !moving && "transition-transform duration-200 ease-out")}
          style={{ transform }}
        >
          <Picture
            photo={photo}
            src={picture && renditionUrl(picture, photo.animated && !animates ? 960 : 1600)}
            srcSet={picture && lightboxSrcSet(picture, photo, animates)}
            sizes={zoomed ? "2560px" : "100vw"}
            alt={
              turned
                ? t("gallery:sides.backOf", { photo: text })
                : photo.pages && photo.pages > 1
                  ? `${text}, ${t("gallery:paper.page", { page, count: photo.pages })}`
                  : text
            }
            eager
            fit="contain"
            onFailed={onFailed}
            className="size-full"
          />
          {marks && <PointLayer photo={photo} {...marks} />}
          {motion && live === "playing" && (
            <LiveVideo src={motion} onEnded={() => setLive("still")} onFailed={() => setLive("unplayable")} />
          )}
        </div>
      </div>
      {motion && <LiveButton state={live} onToggle={toggleLive} />}
      {photo.animated && (
        <IconButton
          icon={animates ? Pause : Play}
          label={t(animates ? "lightbox.stopMoving" : "lightbox.startMoving")}
          onClick={() => setAnimates(!animates)}
          className="absolute top-3 left-3 bg-black/50 hover:bg-black/75! hover:text-white!"
        />
      )}
      {photo.damaged && (
        <p className="absolute bottom-3 left-3 rounded-full bg-black/50 px-3 py-1 text-sm text-white">
          {t("gallery:damaged")}
        </p>
      )}
      <IconButton
        icon={zoomed ? ZoomOut : ZoomIn}
        label={zoomed ? t("lightbox.zoomOut") : t("lightbox.zoomIn")}
        onClick={() => toggle()}
        className="absolute right-3 bottom-3 bg-black/50 hover:bg-black/75! hover:text-white! max-sm:hidden"
      />
    </>
  );
}

interface LiveVideoProps {
  src: string;
  onEnded: () => void;
  onFailed: () => void;
}

/** Renders a live photo's video over the photo while the video plays. */
function LiveVideo({ src, onEnded, onFailed }: LiveVideoProps) {
  const player = useRef<HTMLVideoElement>(null);
  const [begun, setBegun] = useState(false);
  useEndedWhenLeft(player, src);
  return (
    // biome-ignore lint/a11y/useMediaCaption: families' own videos have no captions to offer
    <video
      ref={player}
      src={src}
      autoPlay
      playsInline
      onPlaying={() => setBegun(true)}
      // A browser that cannot decode the pictures of a video may still play its sound.
      onLoadedMetadata={() => player.current?.videoWidth === 0 && onFailed()}
      onEnded={onEnded}
      onError={onFailed}
      className={classNames("absolute inset-0 size-full bg-[#070b12] object-contain", !begun && "opacity-0")}
    />
  );
}

type LiveState = "still" | "playing" | "unplayable";

/** Renders the button that plays a live photo's video, or returns to the photo. */
function LiveButton({ state, onToggle }: { state: LiveState; onToggle: () => void }) {
  const { t } = useTranslation("gallery");
  return (
    <button
      type="button"
      aria-pressed={state === "playing"}
      aria-label={t("live.play")}
      disabled={state === "unplayable"}
      onClick={onToggle}
      className="absolute top-3 left-3 flex min-h-11 cursor-pointer items-center gap-2 rounded-full bg-black/55 px-4 font-semibold text-white hover:bg-black/80 disabled:cursor-default"
    >
      <CircleDot aria-hidden className={classNames("size-5", state === "playing" && "text-teal")} />
      <span role="status">{t(state === "unplayable" ? "live.unplayable" : "live.mark")}</span>
    </button>
  );
}

/** Returns whether the focused element handles keys itself, e.g. a text field. */
export const hasOwnKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input, textarea, select, video, [contenteditable=true], [role=menu], [role=slider]") !== null;
