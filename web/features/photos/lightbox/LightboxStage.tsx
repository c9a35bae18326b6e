import { Download, ImageOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { kindOf } from "../../../data/photo.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl, renditionUrl } from "../../../lib/request/rendition-url.ts";
import { usePhotoText } from "../../../media/photo-text.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { LightboxArrow } from "./LightboxArrow.tsx";
import { LightboxPaper } from "./LightboxPaper.tsx";
import { LightboxPhoto, type PhotoMarks } from "./LightboxPhoto.tsx";
import { LightboxPrint } from "./LightboxPrint.tsx";
import { LightboxSound } from "./LightboxSound.tsx";
import { MediaNote, percentOf } from "./MediaNote.tsx";
import { usePlayer } from "./use-player.ts";

interface LightboxStageProps {
  photo: Photo;
  /** Whether a video or recording plays at once. */
  plays: boolean;
  may: { change: boolean; download: boolean };
  previous: Photo | undefined;
  next: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
  onClose: () => void;
  /** Called at the end of a video or recording. */
  onEnded: () => void;
  /** Called when the person zooms or plays a video, which pauses a slideshow. */
  onTouched: () => void;
  onFailed: () => void;
  marks: PhotoMarks | undefined;
  /** Whether the back of a print is shown, and what turns it over. */
  turned: boolean;
  onTurn: () => void;
}

/**
 * Renders the open photo, video, recording or paper between the arrows. On phones the arrows are below the photo, because swipes begin at
 * the edges.
 */
export function LightboxStage(props: LightboxStageProps) {
  const { photo, plays, may, previous, next, onMove, onClose, onEnded, onTouched, onFailed, marks, turned, onTurn } =
    props;
  const Open = photo.pages && photo.state === "ready" ? LightboxPaper : LightboxPhoto;
  const common = {
    photo,
    onMove: (meaning: "previous" | "next" | "close") =>
      meaning === "close" ? onClose() : onMove(meaning === "next" ? next : previous),
    onZoom: onTouched,
    onFailed,
    marks,
  };
  return (
    <div className="relative col-start-1 row-start-2 min-h-0">
      {photo.state === "broken" ? (
        <LightboxBroken photo={photo} may={may} />
      ) : photo.type === "video" ? (
        <LightboxVideo photo={photo} plays={plays} may={may} onEnded={onEnded} onFailed={onFailed} />
      ) : photo.type === "audio" ? (
        <LightboxSound key={photo.id} photo={photo} plays={plays} may={may} onEnded={onEnded} onFailed={onFailed} />
      ) : photo.has_back && photo.state === "ready" ? (
        <LightboxPrint {...common} turned={turned} onTurn={onTurn} />
      ) : (
        <Open {...common} />
      )}
      <LightboxArrow
        side="left"
        to={previous}
        onMove={onMove}
        className="absolute top-1/2 left-3 -translate-y-1/2 max-sm:hidden"
      />
      <LightboxArrow
        side="right"
        to={next}
        onMove={onMove}
        className="absolute top-1/2 right-3 -translate-y-1/2 max-sm:hidden"
      />
    </div>
  );
}

const BROKEN = {
  image: "broken.title",
  video: "broken.videoTitle",
  audio: "broken.audioTitle",
  paper: "broken.paperTitle",
} as const;

interface LightboxBrokenProps {
  photo: Photo;
  may: { change: boolean; download: boolean };
}

/** Renders a message about a stored file that cannot be displayed. */
function LightboxBroken({ photo, may }: LightboxBrokenProps) {
  const { t } = useTranslation(["gallery", "media"]);
  const { url } = useKnownMediaUrls(photo);
  const name = photo.file_name || photo.type;
  // An unreadable file has no copy without location and device, so only managers and its author may download it.
  const mayArrange = may.change && url;
  return (
    <div className="grid size-full place-content-center justify-items-center gap-3 px-8 text-center text-white/85">
      <ImageOff aria-hidden className="size-10" />
      <p className="font-serif text-xl">{t(BROKEN[kindOf(photo)])}</p>
      {photo.pages && <p className="max-w-md text-white/80">{t("broken.paperHint")}</p>}
      <p className="text-white/80">{mayArrange ? t("broken.kept") : t("broken.lost")}</p>
      <p dir="auto" className="text-sm break-all text-white/70">
        {photo.file_name}
      </p>
      {mayArrange && (
        <Button
          icon={Download}
          variant="quiet"
          className="mt-2 border-white/40! bg-transparent! text-white! hover:border-white!"
          onClick={() => saveFrom(downloadUrl(url, name), name)}
        >
          {t("media:lightbox.download")}
        </Button>
      )}
    </div>
  );
}

interface LightboxVideoProps {
  photo: Photo;
  plays: boolean;
  may: { change: boolean; download: boolean };
  onEnded: () => void;
  onFailed: () => void;
}

/** Renders the open video with the browser's controls, or a note if the video cannot be played. */
function LightboxVideo({ photo, plays, may, onEnded, onFailed }: LightboxVideoProps) {
  const { t } = useTranslation("video");
  const { url, picture } = useKnownMediaUrls(photo);
  const text = usePhotoText()(photo);
  // Readers without access to the original wait for the copy, because the server would refuse the request.
  const hasBytes = may.change || photo.visitor_copy === "ready";
  const { player, src, isUnplayable, onError, onLoadedMetadata } = usePlayer(
    photo,
    hasBytes ? url : undefined,
    onFailed,
  );
  const trouble = hasBytes ? isUnplayable && "unplayable" : photo.visitor_copy === "failed" ? "withheld" : "preparing";
  const poster = picture && renditionUrl(picture, 1600);
  if (trouble) return <MediaNote photo={photo} url={url} poster={poster} may={may} trouble={trouble} />;
  return (
    <div className="grid size-full grid-rows-[minmax(0,1fr)_auto]">
      {/* biome-ignore lint/a11y/useMediaCaption: families' own videos have no captions to offer */}
      <video
        // Each source gets a new player, because some players keep the previous source's error.
        key={src}
        ref={player}
        controls
        autoPlay={plays}
        playsInline
        preload="metadata"
        aria-label={text}
        src={src}
        poster={poster}
        onEnded={onEnded}
        onError={onError}
        onLoadedMetadata={onLoadedMetadata}
        className="size-full object-contain outline-offset-[-3px]"
      />
      {may.change && photo.playback === "making" && (
        <p className="px-4 pt-2 text-center text-sm text-white/75 tabular-nums">
          {t("beside", { percent: percentOf(photo.playback_progress) })}
        </p>
      )}
    </div>
  );
}
