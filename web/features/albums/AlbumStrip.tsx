import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { AlbumCover } from "./AlbumCover.tsx";
import { useHiddenAlbums } from "./album-deletions.queries.ts";
import { type Album, albumsQuery } from "./albums.queries.ts";

const NONE: Album[] = [];
/** The others are on the page of all albums. */
const SHOWN = 12;

/** The first of the person's albums as a row of small covers; nothing where there are none. */
export function AlbumStrip() {
  const { t } = useTranslation("albums");
  const { id: userId } = useUser();
  const { data = NONE } = useInfiniteQuery(albumsQuery(supabase, userId));
  const hidden = useHiddenAlbums();
  const albums = data.filter(({ id }) => !hidden.has(id)).slice(0, SHOWN);
  if (albums.length === 0) return null;
  return (
    <section aria-labelledby="albums" className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id="albums" className="font-serif text-2xl">
          {t("title")}
        </h2>
        <Link to={paths.albums()} className="inline-flex min-h-11 items-center gap-2 font-semibold">
          {t("all")}
          <ArrowRight aria-hidden className="size-5" />
        </Link>
      </div>
      <ul className="-mx-4 flex snap-x gap-4 overflow-x-auto px-4 pb-2 sm:-mx-6 sm:px-6">
        {albums.map((album) => (
          <li key={album.id} className="w-56 shrink-0 snap-start scroll-ms-4 sm:scroll-ms-6">
            <Link
              to={paths.album(album.id)}
              className="group relative isolate grid aspect-3/2 items-end overflow-hidden rounded-2xl bg-night p-4 text-white no-underline shadow-soft transition-shadow duration-300 ease-out hover:shadow-lifted focus-visible:-outline-offset-4 focus-visible:outline-teal"
            >
              <span className="absolute inset-0 -z-20">
                <AlbumCover album={album} sizes="224px" />
              </span>
              <span
                aria-hidden
                className="absolute inset-0 -z-10 bg-linear-to-t from-black/80 via-black/25 to-transparent"
              />
              <span className="grid">
                <span className="truncate font-serif text-xl">{album.name}</span>
                <span className="text-sm text-white/80">{t("memories", { count: album.memory_count })}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
