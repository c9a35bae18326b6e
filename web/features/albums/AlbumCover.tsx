import { Cover } from "../../media/covers/MemoryCover.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import type { Album } from "./albums.queries.ts";

interface AlbumCoverProps {
  album: Pick<Album, "id" | "created_at" | "cover">;
  /** The `sizes` attribute. */
  sizes: string;
  eager?: boolean;
}

/** An album's chosen cover, otherwise its first memory's cover, otherwise a sky. */
export function AlbumCover({ album, sizes, eager }: AlbumCoverProps) {
  const { id, created_at, cover } = album;
  const urls = useMediaUrls(cover);
  return (
    <Cover
      memory={{
        id,
        created_at,
        kind: "event",
        birth_date: null,
        passing_date: null,
        event_date: null,
        cover_x: cover?.cover_x,
        cover_y: cover?.cover_y,
      }}
      cover={cover}
      urls={urls}
      sizes={sizes}
      eager={eager}
      className="size-full"
    />
  );
}
