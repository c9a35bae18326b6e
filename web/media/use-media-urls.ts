import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { MediaUrls, PhotoRef } from "../data/photo.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { createMediaUrlCache, type MediaUrlCache } from "./media-url-cache.ts";

const MediaUrlCacheContext = createContext<MediaUrlCache | undefined>(undefined);

/** Hands the page's addresses and placeholders to whatever shows a photo of it. */
export const MediaUrlCacheProvider = MediaUrlCacheContext.Provider;

/** A page's own store of addresses and placeholders, asked for as this client; `known` came with the page. */
export function useNewMediaUrlCache(
  client: SupabaseClient,
  known: readonly (readonly [Pick<PhotoRef, "id" | "poster_name">, MediaUrls])[] = [],
): MediaUrlCache {
  const [cache] = useState(() => {
    const made = createMediaUrlCache(client);
    made.know(known);
    return made;
  });
  return cache;
}

export function useMediaUrlCache(): MediaUrlCache {
  const cache = useContext(MediaUrlCacheContext);
  if (!cache) throw new Error("useMediaUrlCache must be used within a MediaUrlCacheProvider");
  return cache;
}

const NOTHING: MediaUrls = {};
const RENEW_EVERY_MS = 60_000;

/** What is known of a photo's address and placeholder so far; nothing is asked for by this. */
export function useKnownMediaUrls(photo: PhotoRef | null | undefined, cache = useMediaUrlCache()): MediaUrls {
  return useSyncExternalStore(cache.subscribe, () => (photo ? cache.get(photo.id) : NOTHING));
}

/** One photo that is near for as long as it is shown, and what is known of it. */
export function useMediaUrls(photo: PhotoRef | null | undefined, cache = useMediaUrlCache()): MediaUrls {
  useRequestedMedia(
    useMemo(() => (photo ? [photo] : []), [photo]),
    cache,
  );
  return useKnownMediaUrls(photo, cache);
}

/** Says that these photos are near for as long as they are, so that their addresses are asked for and kept fresh. */
export function useRequestedMedia(photos: readonly PhotoRef[], cache = useMediaUrlCache()) {
  useEffect(() => {
    cache.request(photos);
    const timer = setInterval(() => cache.request(photos), RENEW_EVERY_MS);
    const unsubscribe = cache.subscribe(() => cache.request(photos));
    return () => {
      clearInterval(timer);
      unsubscribe();
      cache.release(photos);
    };
  }, [cache, photos]);
}
