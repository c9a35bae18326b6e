import { renditionSrcSet, renditionUrl } from "../lib/request/rendition-url.ts";
import { Picture } from "./Picture.tsx";
import { usePhotoText } from "./photo-text.ts";
import { SoundFace } from "./SoundFace.tsx";
import type { PlacedMedia } from "./use-story-media.ts";

const SIZES = "(min-width: 40rem) 38rem, 100vw";

/** A photo in a story, as wide as the text and no higher than the window; of a recording its wave. */
export function StoryPicture({ photo, alt }: { photo: PlacedMedia | undefined; alt?: string }) {
  const text = usePhotoText();
  const ratio = photo?.width && photo.height ? photo.width / photo.height : 1.5;
  if (photo?.type === "audio") {
    return (
      <span className="relative block h-32 w-full overflow-hidden rounded-lg">
        <SoundFace photo={photo} place="story" />
        <span className="sr-only">{alt ?? text(photo)}</span>
      </span>
    );
  }
  const none = { placeholder: null, colour: null };
  return (
    <span
      className="mx-auto block w-full overflow-hidden rounded-lg"
      style={{ aspectRatio: ratio, maxWidth: `calc(min(80svh, 44rem) * ${ratio})` }}
    >
      <Picture
        photo={photo ?? none}
        src={photo?.url && renditionUrl(photo.url, 960)}
        srcSet={photo?.url && renditionSrcSet(photo.url, photo.width)}
        sizes={SIZES}
        alt={alt ?? (photo ? text(photo) : "")}
        className="size-full"
      />
    </span>
  );
}
