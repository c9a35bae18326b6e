import type { SupabaseClient } from "@supabase/supabase-js";
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRowChanges } from "../../lib/use-row-changes.ts";
import { NearMedia } from "./near-media.ts";
import { PHOTO_COLUMNS, type Photo, type PhotoRow, withChanges } from "./photo.ts";

export type { Near, NearMedia, Wanted } from "./near-media.ts";
export { type Photo, uploadIdOf } from "./photo.ts";

const PAGE = 1000;
const URL_LIFETIME_S = 3600;
const URL_RENEWAL_MS = 40 * 60 * 1000;
const WAITING_POLL_MS = 4000;

/** A memory's photos and videos in the order in which they were added. */
export const photosQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: ["photos", memoryId],
    queryFn: async ({ signal }): Promise<Photo[]> => {
      const page = async (from: number, count?: "exact") => {
        const answer = await client
          .from("media")
          .select(PHOTO_COLUMNS, { count })
          .eq("memory_id", memoryId)
          .eq("moderation", "shown")
          .order("created_at")
          .order("id")
          .range(from, from + PAGE - 1)
          .abortSignal(signal)
          .overrideTypes<PhotoRow[], { merge: false }>();
        if (answer.error) throw new Error("Failed to load photos", { cause: answer.error });
        return answer;
      };
      // A reply holds a thousand rows at most; the first says how many there are, and the others come together.
      const first = await page(0, "exact");
      const others = Array.from({ length: Math.ceil((first.count ?? 0) / PAGE) - 1 }, (_, n) => page((n + 1) * PAGE));
      const rows = [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
      // One that was deleted meanwhile moves the others up, and one would be seen on two pages.
      return [...new Map(rows.map((row) => [row.id, { ...row, memory_id: memoryId }])).values()];
    },
    // Changes come by realtime; where a proxy keeps it from coming, photos in the making are asked for.
    refetchInterval: ({ state }) => (state.data?.some((photo) => photo.state === "waiting") ? WAITING_POLL_MS : false),
  });

/** Signed addresses by object name, for an hour. */
async function sign(client: SupabaseClient, bucket: string, objectNames: readonly string[]) {
  const { data, error } = await client.storage.from(bucket).createSignedUrls([...objectNames], URL_LIFETIME_S);
  if (error) throw new Error("Failed to load photos", { cause: error });
  return Object.fromEntries(data.flatMap(({ path, signedUrl }) => (path && signedUrl ? [[path, signedUrl]] : [])));
}

/**
 * Signed addresses of a few photos, or objects of another bucket, by object name, renewed before they end. The server signs the same address again
 * within a quarter of their hour, so renewing makes no browser load a photo twice.
 */
export const mediaUrlsQuery = (
  client: SupabaseClient,
  scope: string,
  objectNames: readonly string[],
  bucket = "media",
) =>
  queryOptions({
    queryKey: ["media-urls", bucket, scope, objectNames],
    queryFn: () => sign(client, bucket, objectNames),
    enabled: objectNames.length > 0,
    staleTime: URL_RENEWAL_MS,
    refetchInterval: URL_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });

/** Where addresses and placeholders of the photos near the window are kept, for one page and its client. */
export const nearMedia = (client: SupabaseClient) =>
  new NearMedia({
    sign: (bucket, names) => sign(client, bucket, names),
    placeholders: async (ids) => {
      const { data, error } = await client.from("media").select("id,placeholder").in("id", ids);
      if (error) throw new Error("Failed to load photos", { cause: error });
      return Object.fromEntries(data.flatMap(({ id, placeholder }) => (placeholder ? [[id, placeholder]] : [])));
    },
  });

/**
 * Shows photos as they arrive, are made ready or go, whoever adds or deletes them. What is told is put in its place: while
 * hundreds arrive, thousands are not read again for each.
 */
export function usePhotosLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const filter = `memory_id=eq.${memoryId}`;
  const { queryKey } = photosQuery(client, memoryId);
  useRowChanges(
    client,
    [
      { event: "*", table: "media", filter },
      { event: "DELETE", table: "media" },
    ],
    (told) => {
      // What is being read just now may be older than what is told.
      if (!told || cache.isFetching({ queryKey }) > 0) return void cache.invalidateQueries({ queryKey });
      cache.setQueryData(queryKey, (before) => before && withChanges(before, memoryId, told));
    },
  );
}

/** Changes what the screen shows of a memory's photos at once; gives the way back. */
export async function showAtOnce(
  cache: QueryClient,
  client: SupabaseClient,
  memoryId: string,
  change: (photo: Photo) => Photo | undefined,
): Promise<() => void> {
  const { queryKey } = photosQuery(client, memoryId);
  await cache.cancelQueries({ queryKey });
  const before = cache.getQueryData(queryKey);
  cache.setQueryData(queryKey, (photos) => photos?.flatMap((photo) => change(photo) ?? []));
  return () => cache.setQueryData(queryKey, before);
}

/** Makes a photo the cover of its memory, or none with null; shown at once, taken back if it could not be kept. */
export function useChooseCover(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (photoId: string | null) => {
      const { error } = photoId
        ? await client.rpc("set_cover", { media_id: photoId })
        : await client.rpc("remove_cover", { memory_id: memoryId });
      if (error) throw new Error("Failed to choose the cover", { cause: error });
    },
    onMutate: (photoId) =>
      showAtOnce(cache, client, memoryId, (photo) =>
        photo.is_cover === (photo.id === photoId) ? photo : { ...photo, is_cover: photo.id === photoId },
      ),
    onError: (_error, _photoId, takeBack) => takeBack?.(),
    onSettled: () =>
      Promise.all(
        [photosQuery(client, memoryId).queryKey, ["memory", memoryId], ["memories"]].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

const REMOVED_AT_ONCE = 500;

/** Deletes stored photos for good. A name that is gone already counts as deleted. */
export async function deletePhotos(client: SupabaseClient, objectNames: readonly string[]): Promise<void> {
  for (let from = 0; from < objectNames.length; from += REMOVED_AT_ONCE) {
    const { error } = await client.storage.from("media").remove(objectNames.slice(from, from + REMOVED_AT_ONCE));
    if (error) throw new Error("Failed to delete photo", { cause: error });
  }
}
