import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Near } from "../../data/media.queries.ts";
import type { CoverPhoto, Memory } from "../../data/memories.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/rendition-url.ts";
import { type MemoryDays, saidDates } from "../../media/covers/memory-dates.ts";
import { skyOf } from "../../media/covers/memory-sky.ts";
import { useWantedPhoto } from "../../media/near.ts";
import { Picture } from "../../media/Picture.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Sky } from "../../ui/Sky.tsx";

/** A memory's dates in words, or nothing where none is known. */
export function MemoryDates({ memory }: { memory: MemoryDays }) {
  const { t, i18n } = useTranslation("memories");
  const said = saidDates(memory, i18n.language);
  return said ? t(`dates.${said.says}`, { ...said }) : null;
}

interface CoverProps {
  memory: MemoryDays & Pick<Memory, "id" | "created_at"> & Partial<Pick<Memory, "cover_x" | "cover_y">>;
  cover?: CoverPhoto | null;
  near: Near;
  /** As in HTML: how wide it is shown. */
  sizes: string;
  eager?: boolean;
  className?: string;
}

/** A memory's cover, or the sky of its own where it has none. */
export function Cover({ memory, cover, near: { picture, placeholder }, sizes, eager, className }: CoverProps) {
  const { id, created_at, kind, birth_date, passing_date, event_date, cover_x, cover_y } = memory;
  const sky = useMemo(
    () => skyOf({ id, created_at, kind, birth_date, passing_date, event_date }),
    [id, created_at, kind, birth_date, passing_date, event_date],
  );
  if (!cover) return <Sky {...sky} className={className} />;
  return (
    <Picture
      photo={{ colour: cover.colour, placeholder: cover.placeholder ?? placeholder }}
      src={picture && renditionUrl(picture, 960)}
      srcSet={picture && renditionSrcSet(picture, cover.width)}
      focus={focusOf({ cover_x, cover_y })}
      sizes={sizes}
      alt=""
      eager={eager}
      className={className}
    />
  );
}

/** The focal point of a cover, as CSS keeps it in sight at every width. */
export const focusOf = ({ cover_x = 0.5, cover_y = 0.5 }: Partial<Pick<Memory, "cover_x" | "cover_y">>) =>
  `${Math.round(cover_x * 1000) / 10}% ${Math.round(cover_y * 1000) / 10}%`;

interface MemoryHeroProps {
  memory: Memory;
  cover?: CoverPhoto | null;
  /** What can be done with the memory; stands under its name. */
  children?: ReactNode;
}

/** The head of a memory's page: its cover from edge to edge, its name set large, its dates. */
export function MemoryHero({ memory, cover, children }: MemoryHeroProps) {
  const near = useWantedPhoto(cover);
  return (
    <header className="relative isolate grid min-h-[min(72svh,46rem)] items-end overflow-hidden bg-night text-white">
      <div className="absolute inset-0 -z-20">
        <Cover memory={memory} cover={cover} near={near} sizes="100vw" eager className="size-full" />
      </div>
      <div
        className={classNames(
          "absolute inset-0 -z-10 bg-linear-to-t to-transparent to-80%",
          // A photo may be bright anywhere; a sky grows dark towards its hills by itself.
          cover ? "from-black/85 via-black/45 via-40%" : "from-black/70 via-black/20 via-35%",
        )}
      />
      <div className="mx-auto grid w-full max-w-6xl gap-3 px-5 pt-32 pb-8 sm:px-8 sm:pb-12">
        <h1 className="max-w-4xl font-serif text-[clamp(2.25rem,7vw,4.75rem)] leading-[1.08] text-shadow-lg">
          {memory.person_name}
        </h1>
        <p className="text-lg text-white/90 empty:hidden sm:text-xl">
          <MemoryDates memory={memory} />
        </p>
        {children}
      </div>
    </header>
  );
}
