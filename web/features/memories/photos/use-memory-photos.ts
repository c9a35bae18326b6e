import type { SupabaseClient } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { mediaUrlsQuery, type Photo, photosQuery, usePhotosLive } from "../../media/media.queries.ts";

const NONE: Photo[] = [];
const NO_URLS: Record<string, string> = {};
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();
const RENEWAL_PAUSE_MS = 10_000;

/** A memory's photos with the addresses of their pictures, live; `hidden` are object names to leave out. */
export function useMemoryPhotos(client: SupabaseClient, memoryId: string, hidden = NOTHING_HIDDEN) {
  usePhotosLive(client, memoryId);
  const query = useQuery(photosQuery(client, memoryId));
  const all = query.data ?? NONE;
  const photos = useMemo(() => all.filter((photo) => !hidden.has(photo.object_name)), [all, hidden]);
  const names = useMemo(
    () =>
      all
        .filter((photo) => photo.state !== "waiting")
        .map((photo) => photo.object_name)
        .sort(),
    [all],
  );
  const urls = useQuery(mediaUrlsQuery(client, memoryId, names));

  // A refused picture means that its address has died; one renewal answers for all that fail together.
  const renewedAt = useRef(0);
  const { refetch } = urls;
  const renew = useCallback(() => {
    if (Date.now() - renewedAt.current < RENEWAL_PAUSE_MS) return;
    renewedAt.current = Date.now();
    void refetch();
  }, [refetch]);

  return {
    query,
    photos,
    urls: urls.data ?? NO_URLS,
    cover: photos.find((photo) => photo.is_cover && photo.state !== "broken"),
    renew,
  };
}
