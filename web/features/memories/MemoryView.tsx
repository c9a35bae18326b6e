import { type ReactNode, Suspense } from "react";
import type { CoverPhoto, MemoryChanges } from "../../data/memories.queries.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { PhotoSection, type PhotoSectionProps } from "../photos/PhotoSection.tsx";
import { MemoryHero } from "./MemoryHero.tsx";
import { type MemoryPlace, usePlace } from "./memory-places.tsx";

interface MemoryViewProps extends Omit<PhotoSectionProps, "place"> {
  place: MemoryPlace;
  /** What stands for the memory; null for its own sky. */
  cover: CoverPhoto | null;
  /** What is being written of the memory, shown before it is kept. */
  written?: MemoryChanges;
  /** Under the name, after what other features put there. */
  tools?: ReactNode;
  /** The words of the memory, or where they are written. */
  words: ReactNode;
}

/** A memory's page, the same for everyone who sees it; what they may do with it is handed in. */
export function MemoryView({ place, cover, written, tools, words, ...photos }: MemoryViewProps) {
  const urls = useNewMediaUrlCache(place.client);
  const underName = usePlace("underName", place);
  const underHead = usePlace("underHead", place);
  const atEnd = usePlace("atEnd", place);
  return (
    <MediaUrlCacheProvider value={urls}>
      <article className="grid gap-10 sm:gap-14">
        <MemoryHero memory={{ ...place.memory, ...written }} cover={cover}>
          {(underName.length > 0 || tools) && (
            // All of them come together: what is there first would be moved by what comes later.
            <Suspense fallback={<div className="mt-3 h-11" />}>
              <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
                {underName}
                {tools}
              </div>
            </Suspense>
          )}
        </MemoryHero>
        {underHead.length > 0 && <Suspense fallback={<div className="min-h-14" />}>{underHead}</Suspense>}
        {words}
        <PhotoSection {...photos} place={place} />
        <Suspense>{atEnd}</Suspense>
      </article>
    </MediaUrlCacheProvider>
  );
}
