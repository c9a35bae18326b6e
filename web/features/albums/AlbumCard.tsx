import { useTranslation } from "react-i18next";
import { CARD_SIZES, CoverCard } from "../../media/covers/CoverCard.tsx";
import { paths } from "../../paths.ts";
import { AlbumCover } from "./AlbumCover.tsx";
import type { Album } from "./albums.queries.ts";

/** An album in a list; its cover looks like the top of a stack. */
export function AlbumCard({ album, eager }: { album: Album; eager: boolean }) {
  const { t } = useTranslation("albums");
  return (
    <article className="group relative pt-3">
      {/* The lower sheets of the stack. */}
      <span aria-hidden className="absolute inset-x-8 top-0 h-8 rounded-t-3xl bg-line" />
      <span aria-hidden className="absolute inset-x-4 top-1.5 h-8 rounded-t-3xl bg-edge/50" />
      <CoverCard
        to={paths.album(album.id)}
        name={album.name}
        picture={<AlbumCover album={album} sizes={CARD_SIZES} eager={eager} />}
      >
        <p className="text-sm text-ink-soft">{t("memories", { count: album.memory_count })}</p>
      </CoverCard>
    </article>
  );
}
