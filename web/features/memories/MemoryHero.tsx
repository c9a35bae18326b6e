import type { ComponentProps, ReactNode } from "react";
import type { CoverPhoto, Memory } from "../../data/memories.queries.ts";
import type { MediaUrls } from "../../data/photo.ts";
import { COVER_SIZES } from "../../lib/request/rendition-url.ts";
import { CoverHead } from "../../media/covers/CoverHead.tsx";
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
    <CoverHead
      cover={cover}
      picture={<Cover memory={memory} cover={cover} urls={urls} sizes={COVER_SIZES} eager className="size-full" />}
      actions={children}
    >
      <h1
        dir="auto"
        className={classNames(
          "max-w-4xl font-serif text-(length:--head-name) leading-[1.08] wrap-anywhere",
          !cover && "text-shadow-lg",
        )}
      >
        {memory.person_name}
      </h1>
      <p className="text-lg text-white/90 empty:hidden sm:text-xl">
        <MemoryDates memory={memory} />
      </p>
    </CoverHead>
  );
}
