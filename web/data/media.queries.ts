import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { inPages, type PageOrder } from "../lib/request/in-pages.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";
import { memoryQuery } from "./memories.queries.ts";
import { changesSince, PHOTO_COLUMNS, type Photo, type PhotoRow, photoOf, withChanges } from "./photo.ts";
import { queryKeys } from "./query-keys.ts";
import { NotUndone } from "./save-over.ts";

export type { Photo } from "./photo.ts";

const PAGE = 1000;
const AS_ADDED: PageOrder<Pick<Photo, "created_at" | "id">> = [
  ["created_at", "up"],
  ["id", "up"],
];
const URL_LIFETIME_S = 3600;
const URL_RENEWAL_MS = 40 * 60 * 1000;
const WAITING_POLL_MS = 4000;

const shownOf = (client: SupabaseClient, memoryId: string) =>
  client.from("media").select(PHOTO_COLUMNS).eq("memory_id", memoryId).eq("moderation", "shown");

/** From this number of photos, a gallery loads their outline, and the rows of those near the viewport. */
const LONG = 500;

/**
 * A memory's photos and videos in the order of their upload. With `outline`, those of a long list are outlined first, in
 * the order of the gallery.
 */
export const photosQuery = (client: SupabaseClient, memoryId: string, { outline = false } = {}) =>
  queryOptions({
    queryKey: queryKeys.photos(memoryId),
    queryFn: async ({ signal, client: cache, queryKey }): Promise<Photo[]> => {
      const before = cache.getQueryData<Photo[]>(queryKey);
      // Once all rows are loaded, they are loaded again.
      if (outline && (!before?.[0] || before.some(({ outlined }) => outlined))) {
        const memory = await cache.ensureQueryData(memoryQuery(client, memoryId));
        if (memory && memory.photo_count > LONG) {
          const { readOutline } = await import("./outline.queries.ts");
          return readOutline(cache, client, memory, before ?? []);
        }
      }
      return readAll(client, memoryId, signal);
    },
  });

async function readAll(client: SupabaseClient, memoryId: string, signal: AbortSignal): Promise<Photo[]> {
  const photos: Photo[] = [];
  // A response holds at most a thousand rows. Without a count it is compressed.
  for (let rows: PhotoRow[] | undefined; !rows || rows.length === PAGE; ) {
    const data = await inPages(shownOf(client, memoryId), AS_ADDED, {
      after: photos.at(-1),
      size: PAGE,
    })
      .abortSignal(signal)
      .then(unwrap("Failed to load photos"));
    rows = data;
    for (const row of rows) photos.push(photoOf(row, memoryId));
  }
  return photos;
}

/** Maximum number of photos for which a catch-up simply reloads all. */
const FEW = 200;

/**
 * Loads new and changed photos that realtime did not send. If the number of photos then differs from the server's, some
 * were deleted, and all are reloaded.
 */
export async function catchUp(cache: QueryClient, client: SupabaseClient, memoryId: string): Promise<void> {
  const { queryKey } = photosQuery(client, memoryId);
  const cached = cache.getQueryData(queryKey);
  const since = cached && cached.length > FEW ? changesSince(cached) : undefined;
  if (since === undefined || cache.isFetching({ queryKey }) > 0) return void (await refresh(cache, queryKey));
  const [changed, all] = await Promise.all([
    shownOf(client, memoryId).gte("updated_at", since),
    client
      .from("media")
      .select("id", { count: "exact", head: true })
      .eq("memory_id", memoryId)
      .eq("moderation", "shown"),
  ]);
  if (changed.error || all.error) return void (await refresh(cache, queryKey));
  const changes = changed.data.flatMap(({ details, ...row }) => [
    { event: "UPDATE" as const, table: "media", row: { ...row, memory_id: memoryId, moderation: "shown" } },
    ...(details ? [{ event: "UPDATE" as const, table: "media_details", row: { ...details, media_id: row.id } }] : []),
  ]);
  cache.setQueryData(queryKey, (before) => before && withChanges(before, memoryId, changes));
  if (changed.data.length === PAGE || cache.getQueryData(queryKey)?.length !== all.count) {
    await refresh(cache, queryKey);
  }
}

/** Signed URLs by object name, valid for an hour. */
export async function signMediaUrls(client: SupabaseClient, bucket: string, objectNames: readonly string[]) {
  const data = await client.storage
    .from(bucket)
    .createSignedUrls([...objectNames], URL_LIFETIME_S)
    .then(unwrap("Failed to load photos"));
  return Object.fromEntries(data.flatMap(({ path, signedUrl }) => (path && signedUrl ? [[path, signedUrl]] : [])));
}

/**
 * Signed URLs of a few photos or other objects by object name, renewed before they expire. The server returns the same
 * URL for a quarter of an hour, so that renewing does not reload pictures.
 */
export const mediaUrlsQuery = (
  client: SupabaseClient,
  scope: string,
  objectNames: readonly string[],
  bucket = "media",
) =>
  queryOptions({
    queryKey: queryKeys.mediaUrls(bucket, scope, objectNames),
    queryFn: () => signMediaUrls(client, bucket, objectNames),
    enabled: objectNames.length > 0,
    staleTime: URL_RENEWAL_MS,
    refetchInterval: URL_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });

/**
 * Shows new, prepared and deleted photos live. Each change is merged in place, because reloading thousands of photos
 * for each of hundreds would be slow.
 */
export function usePhotosLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const filter = `memory_id=eq.${memoryId}`;
  const { queryKey } = photosQuery(client, memoryId);
  useRowChanges(
    client,
    [
      { event: "*", table: "media", filter },
      { event: "*", table: "media_details", filter },
      { event: "DELETE", table: "media" },
    ],
    (changes) => {
      if (!changes) return void catchUp(cache, client, memoryId);
      changeData<Photo[]>(cache, queryKey, (before) => withChanges(before, memoryId, changes));
    },
  );
  // If a proxy blocks realtime, unfinished photos are polled.
  useEffect(() => {
    const timer = setInterval(() => {
      const photos = cache.getQueryData<Photo[]>(queryKeys.photos(memoryId));
      if (photos?.some(({ state }) => state === "waiting")) void catchUp(cache, client, memoryId);
    }, WAITING_POLL_MS);
    return () => clearInterval(timer);
  }, [cache, client, memoryId]);
}

/** Makes a photo the cover of its memory, or none with null; an optimistic update. */
export function useChooseCover(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (photoId: string | null) => {
      const { error } = photoId
        ? await client.rpc("set_cover", { media_id: photoId })
        : await client.rpc("remove_cover", { memory_id: memoryId });
      if (error) throw new Error("Failed to choose the cover", { cause: error });
    },
    ...optimisticUpdate(cache, {
      queryKey: photosQuery(client, memoryId).queryKey,
      change: (photos: Photo[], photoId: string | null) =>
        photos.map((photo) =>
          photo.is_cover === (photo.id === photoId) ? photo : { ...photo, is_cover: photo.id === photoId },
        ),
      readAgain: () => refresh(cache, queryKeys.photos(memoryId), queryKeys.memory(memoryId), queryKeys.memories()),
    }),
  });
}

/**
 * Returns a mutation that puts a removed cover back, with its focal point. Rejects with `NotUndone` if somebody has
 * chosen another one since.
 */
export function useRestoreCover(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (cover: { media_id: string; cover_x: number; cover_y: number }) => {
      const isDone = await client.rpc("restore_cover", cover).then(unwrap("Failed to choose the cover"));
      if (!isDone) throw new NotUndone();
    },
    onSettled: () => refresh(cache, queryKeys.photos(memoryId), queryKeys.memory(memoryId), queryKeys.memories()),
  });
}

const REMOVED_AT_ONCE = 500;

/** Permanently deletes stored photos. Missing ones count as deleted. */
export async function deletePhotos(client: SupabaseClient, objectNames: readonly string[]): Promise<void> {
  for (let from = 0; from < objectNames.length; from += REMOVED_AT_ONCE) {
    await client.storage
      .from("media")
      .remove(objectNames.slice(from, from + REMOVED_AT_ONCE))
      .then(unwrap("Failed to delete photo"));
  }
}
