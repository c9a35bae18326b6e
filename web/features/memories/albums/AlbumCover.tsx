import { Cover } from "../MemoryHero.tsx";
import { useWantedPhoto } from "../photos/near.ts";
import type { Album } from "./albums.queries.ts";

interface AlbumCoverProps {
  album: Pick<Album, "id" | "created_at" | "cover" | "memories">;
  /** As in HTML: how wide it is shown. */
  sizes: string;
  eager?: boolean;
}

/** The cover that was chosen for an album, else its first memory's, else a sky of its own. */
export function AlbumCover({ album, sizes, eager }: AlbumCoverProps) {
  const first = album.memories.find(({ cover }) => cover !== null);
  const cover = album.cover ?? first?.cover ?? null;
  const near = useWantedPhoto(cover);
  // A photo of its own choosing has no focal point; the cover of a memory brings the memory's.
  const focus = album.cover || !first ? {} : { cover_x: first.cover_x, cover_y: first.cover_y };
  const { id, created_at } = album;
  return (
    <Cover
      memory={{ id, created_at, kind: "event", birth_date: null, passing_date: null, event_date: null, ...focus }}
      cover={cover}
      near={near}
      sizes={sizes}
      eager={eager}
      className="size-full"
    />
  );
}
