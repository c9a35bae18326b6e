import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { CoverStrip, STRIP_SIZES } from "../../media/covers/CoverStrip.tsx";
import { paths } from "../../paths.ts";
import { AlbumCover } from "./AlbumCover.tsx";
import { useHiddenAlbums } from "./album-deletions.queries.ts";
import { type Album, albumsQuery } from "./albums.queries.ts";

const NONE: Album[] = [];
/** The maximum number of albums in the row. The page of all albums shows the others. */
const SHOWN = 12;

/** A row of the person's first albums; hidden if there are none. */
export function AlbumStrip() {
  const { t } = useTranslation("albums");
  const { id: userId } = useUser();
  const { data = NONE } = useInfiniteQuery(albumsQuery(supabase, userId));
  const hidden = useHiddenAlbums();
  const albums = data.filter(({ id }) => !hidden.has(id)).slice(0, SHOWN);
  if (albums.length === 0) return null;
  return (
    <CoverStrip
      title={t("title")}
      action={
        <Link to={paths.albums()} className="inline-flex min-h-11 items-center gap-2 font-semibold">
          {t("all")}
          <ArrowRight aria-hidden className="size-5" />
        </Link>
      }
      items={albums.map((album) => ({
        id: album.id,
        to: paths.album(album.id),
        name: album.name,
        fact: t("memories", { count: album.memory_count }),
        cover: <AlbumCover album={album} sizes={STRIP_SIZES} />,
      }))}
    />
  );
}
