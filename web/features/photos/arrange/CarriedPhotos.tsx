import type { Ref } from "react";
import type { Photo } from "../../../data/media.queries.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { Picture } from "../../../media/Picture.tsx";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";

interface CarriedPhotosProps {
  ref: Ref<HTMLDivElement>;
  photos: readonly Photo[];
  ids: ReadonlySet<string>;
}

/** What is being carried, under the pointer: the first of the photos, and how many they are. */
export function CarriedPhotos({ ref, photos, ids }: CarriedPhotosProps) {
  const first = photos.find(({ id }) => ids.has(id));
  const { picture, placeholder } = useKnownMediaUrls(first);
  if (!first) return null;
  return (
    <div ref={ref} aria-hidden className="pointer-events-none fixed top-0 left-0 z-50">
      <div className="relative size-28 -translate-x-1/2 -translate-y-1/2 rotate-2">
        <Picture
          photo={{ colour: first.colour, placeholder }}
          src={picture && renditionUrl(picture, 320)}
          sizes="112px"
          alt=""
          eager
          className="size-full rounded-lg shadow-lifted ring-2 ring-white"
        />
        {ids.size > 1 && (
          <span className="absolute -top-3 -right-3 grid min-w-9 place-content-center rounded-full bg-teal px-2 py-1 font-semibold text-night tabular-nums">
            {ids.size}
          </span>
        )}
      </div>
    </div>
  );
}
