import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { LoadedMediaUrls, MediaUrls, PhotoRef } from "../data/photo.ts";
import { queryKeys } from "../data/query-keys.ts";
import { offline } from "../lib/offline/offline-state.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { editedUrl } from "../lib/request/rendition-url.ts";
import { createMediaUrlCache, type MediaUrlCache } from "./media-url-cache.ts";

const MediaUrlCacheContext = createContext<MediaUrlCache | undefined>(undefined);

/** Provides the page's URLs and placeholders to the components that show its photos. */
export const MediaUrlCacheProvider = MediaUrlCacheContext.Provider;

/** Creates a page's cache of URLs and placeholders for this client, with those that were loaded with the memory. */
export function useNewMediaUrlCache(client: SupabaseClient, memoryId?: string): MediaUrlCache {
  const queries = useQueryClient();
  const [cache] = useState(() => {
    const made = createMediaUrlCache(client);
    const first = memoryId && queries.getQueryState<LoadedMediaUrls>(queryKeys.firstMediaUrls(memoryId));
    if (first) made.know(first.data ?? [], first.dataUpdatedAt);
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

/** The URLs of a photo as it is shown. */
export const shownUrls = (urls: MediaUrls, { edit }: Pick<PhotoRef, "edit">): MediaUrls =>
  edit && urls.picture ? { ...urls, picture: editedUrl(urls.picture, edit) } : urls;

/** A photo's cached URL and placeholder; requests nothing. */
export function useKnownMediaUrls(photo: PhotoRef | null | undefined, cache = useMediaUrlCache()): MediaUrls {
  const urls = useSyncExternalStore(cache.subscribe, () => (photo ? cache.get(photo.id) : NOTHING));
  return photo ? shownUrls(urls, photo) : urls;
}

/** A photo's URL and placeholder, requested and kept fresh while the component is mounted. */
export function useMediaUrls(photo: PhotoRef | null | undefined, cache = useMediaUrlCache()): MediaUrls {
  useRequestedMedia(
    useMemo(() => (photo ? [photo] : []), [photo]),
    cache,
  );
  return useKnownMediaUrls(photo, cache);
}

/** Requests the URLs of these photos and keeps them fresh while the component is mounted. */
export function useRequestedMedia(photos: readonly PhotoRef[], cache = useMediaUrlCache()) {
  useEffect(() => {
    cache.request(photos);
    const timer = setInterval(() => cache.request(photos), RENEW_EVERY_MS);
    const endings = [cache, offline].map(({ subscribe }) => subscribe(() => cache.request(photos)));
    return () => {
      clearInterval(timer);
      for (const end of endings) end();
      cache.release(photos);
    };
  }, [cache, photos]);
}
