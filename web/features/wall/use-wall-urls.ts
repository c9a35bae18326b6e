import { useEffect, useRef, useState } from "react";
import { signMediaUrls } from "../../data/media.queries.ts";
import type { WallPicture } from "../../data/wall.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** URLs are valid for an hour; from this age on they are requested again. */
const FRESH_MS = 40 * 60_000;

interface SignedPicture {
  /** The photo, or a video's poster; undefined without one. */
  picture: string | undefined;
  /** The photo's or video's own URL. */
  url: string | undefined;
  signedAt: number;
}

/**
 * Signed URLs of the pictures that a wall shows now and next. All others are forgotten, so that a screen does not grow
 * in eight hours.
 */
export function useWallUrls(client: SupabaseClient, pictures: readonly WallPicture[]) {
  const [urls, setUrls] = useState<ReadonlyMap<string, SignedPicture>>(new Map());
  const requested = useRef(new Set<string>());
  useEffect(() => {
    const isFresh = (id: string) => performance.now() - (urls.get(id)?.signedAt ?? Number.NEGATIVE_INFINITY) < FRESH_MS;
    const missing = pictures.filter(({ id }) => !isFresh(id) && !requested.current.has(id));
    if (missing.length === 0) return;
    for (const { id } of missing) requested.current.add(id);
    const names = missing.map(({ object_name }) => object_name);
    const posters = missing.flatMap(({ poster_name }) => poster_name ?? []);
    void Promise.all([
      signMediaUrls(client, "media", names),
      posters.length > 0 ? signMediaUrls(client, "posters", posters).catch(() => ({})) : {},
    ])
      .then(([own, ofPosters]: Record<string, string>[]) => {
        const needed = new Set(pictures.map(({ id }) => id));
        const signedAt = performance.now();
        setUrls((before) => {
          const stillNeeded = [...before].filter(([id]) => needed.has(id));
          const signed = missing.map(({ id, type, object_name, poster_name }): [string, SignedPicture] => {
            const url = own?.[object_name];
            return [id, { url, picture: type === "video" ? ofPosters?.[poster_name ?? ""] : url, signedAt }];
          });
          return new Map([...stillNeeded, ...signed]);
        });
      })
      // Without a network the wall stays with what it shows, and asks again with the next picture.
      .catch(() => {})
      .finally(() => {
        for (const { id } of missing) requested.current.delete(id);
      });
  }, [client, pictures, urls]);
  return urls;
}
