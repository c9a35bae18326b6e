import type { SupabaseClient } from "@supabase/supabase-js";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRowChanges } from "../../lib/use-row-changes.ts";

export interface Photo {
  id: string;
  memory_id: string;
  type: "image" | "video";
  /** Bytes of the original. */
  size: number;
  object_name: string;
  file_name: string;
  mime_type: string;
  /** Pixels as seen upright; null until known. */
  width: number | null;
  height: number | null;
  /** The camera's own clock, `YYYY-MM-DDTHH:MM:SS` in no time zone. */
  taken_at: string | null;
  /** A tiny blurred picture as a data URL. */
  placeholder: string | null;
  /** `#rrggbb`. */
  colour: string | null;
  state: "waiting" | "ready" | "broken";
  is_cover: boolean;
  created_at: string;
}

const PAGE = 1000;
const URL_LIFETIME_S = 3600;
const URL_RENEWAL_MS = 40 * 60 * 1000;
const WAITING_POLL_MS = 4000;

/** A memory's photos as they were taken, those without a date after them. */
export const photosQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: ["photos", memoryId],
    queryFn: async ({ signal }): Promise<Photo[]> => {
      const photos: Photo[] = [];
      // A reply holds a thousand rows at most.
      for (let page: Photo[] | undefined; !page || page.length === PAGE; photos.push(...page)) {
        const { data, error } = await client
          .from("media")
          .select()
          .eq("memory_id", memoryId)
          .eq("type", "image")
          .order("taken_at", { ascending: true, nullsFirst: false })
          .order("created_at", { ascending: true })
          .order("id", { ascending: true })
          .range(photos.length, photos.length + PAGE - 1)
          .abortSignal(signal);
        if (error) throw new Error("Failed to load photos", { cause: error });
        page = data;
      }
      return photos;
    },
    // Changes come by realtime; where a proxy keeps it from coming, photos in the making are asked for.
    refetchInterval: ({ state }) => (state.data?.some((photo) => photo.state === "waiting") ? WAITING_POLL_MS : false),
  });

/**
 * Signed addresses by object name, for an hour, renewed before they end. The server signs the same address again within
 * a quarter of that time, so renewing makes no browser load a photo twice.
 */
export const mediaUrlsQuery = (client: SupabaseClient, scope: string, objectNames: readonly string[]) =>
  queryOptions({
    queryKey: ["media-urls", scope, objectNames],
    queryFn: async (): Promise<Record<string, string>> => {
      const { data, error } = await client.storage.from("media").createSignedUrls([...objectNames], URL_LIFETIME_S);
      if (error) throw new Error("Failed to load photos", { cause: error });
      return Object.fromEntries(data.flatMap(({ path, signedUrl }) => (path && signedUrl ? [[path, signedUrl]] : [])));
    },
    enabled: objectNames.length > 0,
    staleTime: URL_RENEWAL_MS,
    refetchInterval: URL_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });

/** Makes a photo the cover of its memory; shown at once, taken back if it could not be kept. */
export function useChooseCover(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, memoryId);
  return useMutation({
    mutationFn: async (photoId: string) => {
      const { error } = await client.rpc("set_cover", { media_id: photoId });
      if (error) throw new Error("Failed to choose the cover", { cause: error });
    },
    onMutate: async (photoId) => {
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueryData(queryKey);
      if (before)
        cache.setQueryData(
          queryKey,
          before.map((photo) => ({ ...photo, is_cover: photo.id === photoId })),
        );
      return { before };
    },
    onError: (_error, _photoId, context) => cache.setQueryData(queryKey, context?.before),
    onSettled: () =>
      Promise.all([cache.invalidateQueries({ queryKey }), cache.invalidateQueries({ queryKey: ["memories"] })]),
  });
}

/** Deletes stored photos for good. A name that is gone already counts as deleted. */
export async function deletePhotos(client: SupabaseClient, objectNames: readonly string[]): Promise<void> {
  const { error } = await client.storage.from("media").remove([...objectNames]);
  if (error) throw new Error("Failed to delete photo", { cause: error });
}

/** Shows photos as they arrive, are made ready or go, whoever adds or deletes them. */
export function usePhotosLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const filter = `memory_id=eq.${memoryId}`;
  useRowChanges(
    client,
    [
      { event: "*", table: "media", filter },
      { event: "DELETE", table: "media" },
    ],
    () => void cache.invalidateQueries({ queryKey: photosQuery(client, memoryId).queryKey }),
  );
}

/** The id under which a photo was in the queue of uploads: its object is named by it. */
export const uploadIdOf = (photo: Photo) => photo.object_name.replace(/^.*\/|\.[^.]*$/g, "");
