import type { ComponentProps, ReactNode } from "react";
import type { CoverPhoto, Memory } from "../../data/memories.queries.ts";
import type { MediaUrls } from "../../data/photo.ts";
import { COVER_SIZES } from "../../lib/request/rendition-url.ts";
import { Cover, MemoryDates } from "../../media/covers/MemoryCover.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { classNames } from "../../ui/class-names.ts";

type HeroMemory = ComponentProps<typeof Cover>["memory"] & Pick<Memory, "person_name">;

interface MemoryHeroProps {
  /** The columns that the hero shows. */
  memory: HeroMemory;
  cover?: CoverPhoto | null;
  /** The actions below the name. */
  children?: ReactNode;
}

/** Reserves the height of the actions until they have loaded. */
export const heroActionsRoom = <div className="mt-3 h-11" />;

/** The hero of a memory's page: cover, name and dates. */
export function MemoryHero(props: MemoryHeroProps) {
  return <HeroWithUrls {...props} urls={useMediaUrls(props.cover)} />;
}

/** The hero with known URLs of the cover; the server renders it, too. */
export function HeroWithUrls({ memory, cover, urls, children }: MemoryHeroProps & { urls: MediaUrls }) {
  return (
    // Not a `header` element: the content below would cover its open menu.
    <div className="relative isolate grid min-h-(--hero) items-end overflow-hidden bg-night text-white">
      <div className="absolute inset-0 -z-20">
        <Cover memory={memory} cover={cover} urls={urls} sizes={COVER_SIZES} eager className="size-full" />
      </div>
      {/* The shade reaches as far up as the text, which a long name makes tall. */}
      <div
        className={classNames(
          "bg-linear-to-t to-transparent",
          // A photo may be bright anywhere; a sky is dark at its lower edge.
          cover ? "from-black/85 via-black/50" : "from-black/70 via-black/30",
          "via-[calc(100%-6rem)]",
        )}
      >
        <div className="page-width grid gap-3 pt-24 pb-6 sm:pb-10">
          <h1
            dir="auto"
            className="max-w-4xl font-serif text-[min(16vw,clamp(2.25rem,7vw,4.75rem))] leading-[1.08] wrap-anywhere text-shadow-lg"
          >
            {memory.person_name}
          </h1>
          <p className="text-lg text-white/90 empty:hidden sm:text-xl">
            <MemoryDates memory={memory} />
          </p>
          {children}
        </div>
      </div>
    </div>
  );
}
