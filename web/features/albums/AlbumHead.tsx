import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { COVER_SIZES } from "../../lib/request/rendition-url.ts";
import { CoverHead } from "../../media/covers/CoverHead.tsx";
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
    <CoverHead
      className="[--hero:min(46svh,28rem)]"
      cover={album.cover}
      picture={<AlbumCover album={album} sizes={COVER_SIZES} eager />}
      actions={children && <div className="mt-2 flex flex-wrap gap-2 sm:gap-3">{children}</div>}
    >
      {title}
      <p className="text-lg text-white/90">{t("memories", { count: album.memory_count })}</p>
    </CoverHead>
  );
}
