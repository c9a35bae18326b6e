import { useTranslation } from "react-i18next";
import { Link } from "react-router";
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
      <div className="relative isolate grid aspect-4/3 items-end overflow-clip rounded-3xl bg-night text-white shadow-soft transition-shadow duration-300 ease-out focus-within:shadow-lifted group-hover:shadow-lifted">
        <div className="absolute inset-0 -z-20 transition-transform duration-300 ease-out group-hover:scale-[1.02]">
          <AlbumCover album={album} sizes="(min-width: 1280px) 400px, (min-width: 640px) 50vw, 100vw" eager={eager} />
        </div>
        <div className="absolute inset-0 -z-10 bg-linear-to-t from-black/80 via-black/25 to-transparent" />
        <div className="grid gap-1 p-5 sm:p-6">
          <h2 className="font-serif text-2xl leading-tight sm:text-[1.75rem]">
            <Link
              to={paths.album(album.id)}
              className="text-white no-underline outline-none after:absolute after:inset-0 after:rounded-3xl focus-visible:after:outline-3 focus-visible:after:-outline-offset-4 focus-visible:after:outline-teal"
            >
              {album.name}
            </Link>
          </h2>
          <p className="text-sm text-white/80">{t("memories", { count: album.memory_count })}</p>
        </div>
      </div>
    </article>
  );
}
