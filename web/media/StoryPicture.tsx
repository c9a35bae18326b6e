import { Suspense } from "react";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { renditionSrcSet, renditionUrl } from "../lib/request/rendition-url.ts";
import { Picture } from "./Picture.tsx";
import { usePhotoText } from "./photo-text.ts";
import type { PlacedMedia } from "./use-story-media.ts";

/** Loaded with a recording, which few stories have. */
const SoundFace = lazyPart(async () => ({ default: (await import("./SoundFace.tsx")).SoundFace }), "nothing");

const SIZES = "(min-width: 40rem) 38rem, 100vw";

/** A photo in a story, as wide as the text and no higher than the window; of a recording its wave. */
export function StoryPicture({ photo, alt }: { photo: PlacedMedia | undefined; alt?: string }) {
  const text = usePhotoText();
  const ratio = photo?.width && photo.height ? photo.width / photo.height : 1.5;
  if (photo?.type === "audio") {
    return (
      <span className="relative block h-32 w-full overflow-hidden rounded-lg bg-[#1d5a63]">
        <Suspense>
          <SoundFace photo={photo} place="story" />
        </Suspense>
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
