import { useEffect, useMemo, useState } from "react";
import type { Photo } from "../../data/media.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { usePhotoText } from "../../media/photo-text.ts";
import { useKnownMediaUrls, useMediaUrlCache, useRequestedMedia } from "../../media/use-media-urls.ts";
import { classNames } from "../../ui/class-names.ts";

interface StageProps {
  photos: readonly Photo[];
  photo: Photo;
  following: Photo | undefined;
  showsCaptions: boolean;
  onLoaded: (id: string) => void;
}

/** The photo that is shown, above the one before, which it covers when it has loaded. */
export function SlideshowStage({ photos, photo, following, showsCaptions, onLoaded }: StageProps) {
  const [{ loaded, before }, setLoaded] = useState<{ loaded?: string | undefined; before?: string | undefined }>({});
  // Of two photos in turn, the one before is there already, and does not load again.
  if (photo.id === before && photo.id !== loaded) setLoaded({ loaded: before, before: loaded });
  const isLoaded = photo.id === loaded;
  useEffect(() => {
    if (isLoaded) onLoaded(photo.id);
  }, [isLoaded, photo.id, onLoaded]);
  useNextPhoto(photo, following);
  const layers = [...new Set([before, loaded, photo.id])].flatMap(
    (id) => photos.find((candidate) => candidate.id === id) ?? [],
  );
  return (
    <>
      {layers.map((layer) => (
        <figure
          key={layer.id}
          aria-hidden={layer.id !== photo.id}
          className={classNames(
            "absolute inset-0 m-0 bg-black",
            layer.id === loaded || layer.id === before
              ? "animate-[fade-in_1200ms_ease-out] motion-reduce:animate-none"
              : "opacity-0",
          )}
        >
          <StagePhoto
            photo={layer}
            onReady={() =>
              setLoaded((state) => (state.loaded === layer.id ? state : { loaded: layer.id, before: state.loaded }))
            }
          />
          {showsCaptions && layer.caption && (
            <figcaption className="absolute inset-x-0 bottom-0 grid justify-items-center bg-linear-to-t from-black/75 px-6 pt-16 pb-[max(2rem,env(safe-area-inset-bottom))] text-center">
              <span
                dir="auto"
                className="line-clamp-4 max-w-[60rem] font-serif text-[clamp(1.125rem,3.4vmin,2.5rem)] leading-snug whitespace-pre-line"
              >
                {layer.caption}
              </span>
            </figcaption>
          )}
        </figure>
      ))}
    </>
  );
}

function StagePhoto({ photo, onReady }: { photo: Photo; onReady: () => void }) {
  const { picture } = useKnownMediaUrls(photo);
  const text = usePhotoText()(photo);
  if (!picture) return null;
  return (
    <img
      src={renditionUrl(picture, 1600)}
      srcSet={renditionSrcSet(picture, photo.width)}
      sizes="100vw"
      alt={text}
      draggable={false}
      onLoad={onReady}
      // A photo that cannot be loaded is passed over.
      onError={onReady}
      className="absolute inset-0 size-full object-contain"
    />
  );
}

/** Requests the URLs of this and the next photo, and loads the next one. */
function useNextPhoto(photo: Photo, following: Photo | undefined) {
  const urls = useMediaUrlCache();
  useRequestedMedia(useMemo(() => [photo, following].flatMap((one) => one ?? []), [photo, following]));
  useEffect(() => {
    const load = () => {
      const { picture } = following ? urls.get(following.id) : {};
      if (!following || !picture) return;
      const image = new Image();
      image.sizes = "100vw";
      image.srcset = renditionSrcSet(picture, following.width);
    };
    load();
    return urls.subscribe(load);
  }, [urls, following]);
}
