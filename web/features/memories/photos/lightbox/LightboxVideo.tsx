import type { Photo } from "../../../media/media.queries.ts";
import { useNear } from "../near.ts";
import { usePhotoText } from "../photo-text.ts";
import { renditionUrl } from "../rendition-url.ts";

interface LightboxVideoProps {
  photo: Photo;
  may: { change: boolean; download: boolean };
  onEnded: () => void;
  onFailed: () => void;
}

/** The open video with the browser's own controls. */
export function LightboxVideo({ photo, onEnded, onFailed }: LightboxVideoProps) {
  const { url, picture } = useNear(photo);
  const text = usePhotoText()(photo);
  return (
    // biome-ignore lint/a11y/useMediaCaption: families' own videos have no captions to offer
    <video
      controls
      playsInline
      preload="metadata"
      aria-label={text}
      src={url}
      poster={picture && renditionUrl(picture, 1600)}
      onEnded={onEnded}
      onError={onFailed}
      className="size-full object-contain"
    />
  );
}
