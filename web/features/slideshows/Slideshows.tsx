import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useHiddenSlideshows } from "../../actions/slideshow-deletions.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { keyOf } from "../../data/photo.ts";
import { photosOf, type Slideshow, slideshowsQuery, useSlideshowsLive } from "../../data/slideshows.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { MemoryPhotos } from "../../media/use-memory-photos.ts";
import { paths } from "../../paths.ts";
import { SlideshowCard } from "./SlideshowCard.tsx";

const SlideshowPlayer = lazyPart(() => import("./SlideshowPlayer.tsx"), "over the page");

interface SlideshowsProps extends MemoryContext {
  photos: MemoryPhotos;
}

const NONE: Slideshow[] = [];

/** The slideshows of a memory, each a card that plays it. Nothing while there are none with photos. */
export default function Slideshows({ client, memory, rights, photos: { photos, load } }: SlideshowsProps) {
  const { t } = useTranslation("slideshows");
  useSlideshowsLive(client, memory.id);
  const hidden = useHiddenSlideshows();
  const { data = NONE } = useQuery(slideshowsQuery(client, memory.id));
  const [playingId, setPlayingId] = useState<string>();
  useEffect(() => {
    const keys = new Set(data.flatMap(({ pictures, music_id }) => [...pictures, music_id ?? ""]).map(keyOf));
    load(photos.filter(({ id, outlined }) => outlined && keys.has(keyOf(id))));
  }, [data, photos, load]);
  const slideshows = data
    .filter(({ id }) => !hidden.has(id))
    .map((slideshow) => ({ slideshow, pictures: photosOf(slideshow, photos) }))
    .filter(({ slideshow, pictures }) => pictures.length > 0 || slideshow.id === playingId);
  const playing = slideshows.find(({ slideshow }) => slideshow.id === playingId);
  if (slideshows.length === 0) return null;
  return (
    <section aria-labelledby="slideshows-title" className="page-width grid gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="slideshows-title" className="font-serif text-2xl sm:text-3xl">
          {t("title")}
        </h2>
        {rights.manage && (
          <Link to={paths.slideshows(memory.id)} className="inline-flex min-h-11 items-center font-semibold text-deep">
            {t("edit")}
          </Link>
        )}
      </div>
      <ul className="-mx-4 my-0 flex snap-x scroll-px-4 list-none gap-4 overflow-x-auto px-4 pt-1 pb-4">
        {slideshows.map(({ slideshow, pictures }) => (
          <li key={slideshow.id} className="shrink-0 snap-start">
            <SlideshowCard slideshow={slideshow} photos={pictures} onPlay={() => setPlayingId(slideshow.id)} />
          </li>
        ))}
      </ul>
      <Suspense>
        {playing && (
          <SlideshowPlayer
            slideshow={playing.slideshow}
            photos={playing.pictures}
            music={photos.find(({ id }) => id === playing.slideshow.music_id)}
            onClose={() => setPlayingId(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}
