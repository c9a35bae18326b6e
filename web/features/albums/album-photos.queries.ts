import { infiniteQueryOptions } from "@tanstack/react-query";
import type { CoverPhoto } from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

export interface AlbumPhoto extends CoverPhoto {
  memory_id: string;
  caption: string;
  alt_text: string;
  memories: { person_name: string };
}

const PAGE = 60;

/** The photos of an album's memories that can stand for it, some at a time. */
export const albumPhotosQuery = (client: SupabaseClient, albumId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.albums("photos", albumId),
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<AlbumPhoto[]> =>
      client
        .from("media")
        .select(
          "id,memory_id,type,object_name,poster_name,colour,width,height,caption,alt_text,memories!inner(album_id,person_name)",
        )
        .eq("memories.album_id", albumId)
        .eq("type", "image")
        .eq("state", "ready")
        .eq("moderation", "shown")
        .order("memory_id")
        .order("taken_order", { nullsFirst: false })
        .order("time_order", { nullsFirst: true })
        .order("id")
        .range(pageParam, pageParam + PAGE - 1)
        .abortSignal(signal)
        .then(unwrap("Failed to load photos")),
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length * PAGE : undefined),
  });
