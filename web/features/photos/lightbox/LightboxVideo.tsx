import { useTranslation } from "react-i18next";
import "../../../i18n/namespaces/video.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { usePhotoText } from "../../../media/photo-text.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { usePlayer } from "./use-player.ts";
import { VideoNote } from "./VideoNote.tsx";

interface LightboxVideoProps {
  photo: Photo;
  may: { change: boolean; download: boolean };
  onEnded: () => void;
  onFailed: () => void;
}

/** The open video with the browser's own controls, or a note where this browser can not play it. */
export function LightboxVideo({ photo, may, onEnded, onFailed }: LightboxVideoProps) {
  const { t } = useTranslation("video");
  const { url, picture } = useKnownMediaUrls(photo);
  const text = usePhotoText()(photo);
  // Nobody asks for what would be refused: whoever does not get the original waits for the copy.
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
        // Another source is another player: some keep the trouble they had with the last one.
        key={src}
        ref={player}
        controls
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

const percentOf = (progress: number | null) => Math.floor((progress ?? 0) * 100);
