import { Clapperboard, Download, ImageOff, VideoOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { share } from "../../../../shared/file-numbers.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl, renditionUrl } from "../../../lib/request/rendition-url.ts";
import { usePhotoText } from "../../../media/photo-text.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { Progress } from "../../../ui/Progress.tsx";
import { LightboxArrow } from "./LightboxArrow.tsx";
import { LightboxPhoto } from "./LightboxPhoto.tsx";
import { useMinutesLeft } from "./use-minutes-left.ts";
import { usePlayer } from "./use-player.ts";

interface LightboxStageProps {
  photo: Photo;
  /** Whether a video plays at once. */
  plays: boolean;
  may: { change: boolean; download: boolean };
  previous: Photo | undefined;
  next: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
  onClose: () => void;
  /** Called at a video's end. */
  onEnded: () => void;
  /** Called when the person zooms or plays a video, which pauses a slideshow. */
  onTouched: () => void;
  onFailed: () => void;
}

/**
 * Renders the open photo or video between the arrows. On phones the arrows are below the photo, because swipes begin at
 * the edges.
 */
export function LightboxStage(props: LightboxStageProps) {
  const { photo, plays, may, previous, next, onMove, onClose, onEnded, onTouched, onFailed } = props;
  return (
    <div className="relative col-start-1 row-start-2 min-h-0">
      {photo.state === "broken" ? (
        <LightboxBroken photo={photo} may={may} />
      ) : photo.type === "video" ? (
        <LightboxVideo photo={photo} plays={plays} may={may} onEnded={onEnded} onFailed={onFailed} />
      ) : (
        <LightboxPhoto
          photo={photo}
          onMove={(meaning) => (meaning === "close" ? onClose() : onMove(meaning === "next" ? next : previous))}
          onZoom={onTouched}
          onFailed={onFailed}
        />
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
  const kept = may.change && url;
  return (
    <div className="grid size-full place-content-center justify-items-center gap-3 px-8 text-center text-white/85">
      <ImageOff aria-hidden className="size-10" />
      <p className="font-serif text-xl">{t(photo.type === "video" ? "broken.videoTitle" : "broken.title")}</p>
      <p className="text-white/80">{kept ? t("broken.kept") : t("broken.lost")}</p>
      <p className="text-sm break-all text-white/70">{photo.file_name}</p>
      {kept && (
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
  if (trouble) return <VideoNote photo={photo} url={url} poster={poster} may={may} trouble={trouble} />;
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

const percentOf = (progress: number | null) => Math.floor(share(progress) * 100);

/** Why a video does not play: this browser cannot play it, no copy can be shared, or no copy is ready yet. */
type Trouble = "unplayable" | "withheld" | "preparing";

interface VideoNoteProps {
  photo: Photo;
  /** The signed URL of the original. */
  url: string | undefined;
  poster: string | undefined;
  may: { change: boolean; download: boolean };
  trouble: Trouble;
}

/** Renders a note for a video that cannot be played: the video is stored, and these are the person's options. */
function VideoNote({ photo, url, poster, may, trouble }: VideoNoteProps) {
  const { t } = useTranslation("video");
  const { playback } = photo;
  const minutes = useMinutesLeft(photo.playback_progress);
  const name = photo.file_name || photo.type;
  const progress = share(photo.playback_progress);
  const isPreparing = trouble === "preparing";
  const isComing = trouble === "unplayable" && (playback === "waiting" || playback === "making");
  const download = trouble === "unplayable" && may.download && url;
  const [title, hint] =
    isComing || isPreparing
      ? [t(isPreparing ? "preparing" : "coming"), t(playback === "making" ? "makingHint" : "waitingHint")]
      : trouble === "withheld"
        ? [t("withheld"), t("withheldHint")]
        : [t("unplayable"), download ? t("unplayableDownload") : t("unplayableHint")];
  const Icon = isComing || isPreparing ? Clapperboard : VideoOff;
  return (
    <div className="relative grid size-full place-content-center overflow-hidden">
      {poster && <img src={poster} alt="" className="absolute inset-0 size-full object-contain opacity-25" />}
      <div className="relative grid max-w-md justify-items-center gap-3 px-8 text-center text-white/90">
        <Icon aria-hidden className="size-10" />
        <p role="status" className="font-serif text-xl text-balance">
          {title}
        </p>
        {/* Outside of the status region, so that screen readers do not announce every percent. */}
        {playback === "making" && (
          <>
            <Progress value={progress} label={t("progress")} className="max-w-64 bg-white/25 [&>*]:bg-teal" />
            <p aria-hidden className="text-sm tabular-nums text-white/80">
              {percentOf(progress)}%
            </p>
            {minutes !== undefined && (
              <p className="text-white/80">{minutes < 1 ? t("soon") : t("minutesLeft", { count: minutes })}</p>
            )}
          </>
        )}
        <p className="text-white/80">{hint}</p>
        {photo.file_name && <p className="text-sm break-all text-white/70">{photo.file_name}</p>}
        {download && (
          <Button
            icon={Download}
            variant="quiet"
            className="mt-2 border-white/40! bg-transparent! text-white! hover:border-white!"
            onClick={() => saveFrom(downloadUrl(url, name), name)}
          >
            {t("download")}
          </Button>
        )}
      </div>
    </div>
  );
}
