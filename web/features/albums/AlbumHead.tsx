import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AlbumCover } from "./AlbumCover.tsx";
import type { Album } from "./albums.queries.ts";

interface AlbumHeadProps {
  album: Album;
  /** The album's name, as a heading. */
  title: ReactNode;
  /** The actions below the name. */
  children?: ReactNode;
}

/** The head of an album's page: cover, name and number of memories. */
export function AlbumHead({ album, title, children }: AlbumHeadProps) {
  const { t } = useTranslation("albums");
  return (
    // Not a `header` element: the content below would cover its open menu.
    <div className="relative isolate grid min-h-[min(46svh,28rem)] items-end overflow-hidden bg-night text-white">
      <div className="absolute inset-0 -z-20">
        <AlbumCover album={album} sizes="100vw" eager />
      </div>
      <div className="absolute inset-0 -z-10 bg-linear-to-t from-black/85 via-black/45 via-50% to-black/10" />
      <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-3 pt-24 pb-8">
        {title}
        <p className="text-lg text-white/90">{t("memories", { count: album.memory_count })}</p>
        {children && <div className="mt-2 flex flex-wrap gap-2 sm:gap-3">{children}</div>}
      </div>
    </div>
  );
}
