import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { type Photo, photosQuery, usePhotosLive } from "../data/media.queries.ts";
import type { PhotoOrder } from "../data/photo-order.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";

const NONE: Photo[] = [];
/** The first photos of an outlined gallery, whose rows are loaded with those of the strip. */
const FIRST = 60;
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/**
 * A memory's photos and videos with live updates, without those in `hidden`. With `outline`, most photos of a long list
 * are only outlined until `load` is called with them.
 */
export function useMemoryPhotos(
  client: SupabaseClient,
  memoryId: string,
  hidden = NOTHING_HIDDEN,
  { outline = false } = {},
) {
  usePhotosLive(client, memoryId);
  const cache = useQueryClient();
  const query = useQuery(photosQuery(client, memoryId, { outline }));
  const all = query.data ?? NONE;
  const photos = useMemo(() => all.filter((photo) => !hidden.has(photo.id)), [all, hidden]);
  const isPart = useMemo(() => all.some(({ outlined }) => outlined), [all]);
  const cover = photos.find((photo) => photo.is_cover && photo.state === "ready");

  const load = useCallback(
    (some: readonly Photo[]) => {
      if (some.some(({ outlined }) => outlined))
        void outlines().then(({ loadRows }) => loadRows(cache, client, memoryId, some));
    },
    [cache, client, memoryId],
  );
  const loadAll = useCallback(
    () =>
      void outlines()
        .then(({ loadAll }) => loadAll(cache, photosQuery(client, memoryId) as never))
        .catch(ignore),
    [cache, client, memoryId],
  );
  const reorder = useCallback(
    (order: PhotoOrder) =>
      void outlines()
        .then(({ reorder }) => reorder(cache, client, memoryId, order))
        .catch(ignore),
    [cache, client, memoryId],
  );
  useEffect(() => {
    if (outline) load([...all.slice(0, FIRST), ...(cover ? [cover] : [])]);
  }, [outline, all, cover, load]);
  useEffect(() => {
    if (isPart && !outline) loadAll();
  }, [isPart, outline, loadAll]);

  return {
    query,
    photos,
    cover,
    /** Whether `cover` can be shown: before, the memory's own row names it. */
    isCoverKnown: query.isSuccess && !cover?.outlined,
    /** Whether some photos are only outlined. */
    isPart,
    load,
    loadAll,
    reorder,
  };
}

const outlines = () => import("../data/outline.queries.ts");
/** The query has the error, and the photos that are shown stay. */
const ignore = () => {};

export type MemoryPhotos = ReturnType<typeof useMemoryPhotos>;
