import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Photo, photosQuery, usePhotosLive } from "../data/media.queries.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";

const NONE: Photo[] = [];
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** A memory's photos and videos with live updates, without those in `hidden`. */
export function useMemoryPhotos(client: SupabaseClient, memoryId: string, hidden = NOTHING_HIDDEN) {
  usePhotosLive(client, memoryId);
  const query = useQuery(photosQuery(client, memoryId));
  const all = query.data ?? NONE;
  const photos = useMemo(() => all.filter((photo) => !hidden.has(photo.id)), [all, hidden]);
  const cover = photos.find((photo) => photo.is_cover && photo.state === "ready");
  return { query, photos, cover };
}

export type MemoryPhotos = ReturnType<typeof useMemoryPhotos>;
