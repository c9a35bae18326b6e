import type { Photo } from "../../../data/media.queries.ts";
import { LightboxArrow } from "./LightboxArrow.tsx";
import { LightboxBroken } from "./LightboxBroken.tsx";
import { LightboxPhoto } from "./LightboxPhoto.tsx";
import { LightboxVideo } from "./LightboxVideo.tsx";

interface LightboxStageProps {
  photo: Photo;
  may: { change: boolean; download: boolean };
  previous: Photo | undefined;
  next: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
  onClose: () => void;
  /** A video has come to its end. */
  onEnded: () => void;
  /** Somebody looks closer, or plays a video: a slideshow waits. */
  onTouched: () => void;
  onFailed: () => void;
}

/** The open photo or video, between the arrows; those stand under it on a phone, where a swipe begins at the edges. */
export function LightboxStage(props: LightboxStageProps) {
  const { photo, may, previous, next, onMove, onClose, onEnded, onTouched, onFailed } = props;
  return (
    <div className="relative col-start-1 row-start-2 min-h-0">
      {photo.state === "broken" ? (
        <LightboxBroken photo={photo} may={may} />
      ) : photo.type === "video" ? (
        <LightboxVideo photo={photo} may={may} onEnded={onEnded} onFailed={onFailed} />
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
