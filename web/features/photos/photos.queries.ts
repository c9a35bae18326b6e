import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import { photosQuery } from "../../data/media.queries.ts";
import type { Photo } from "../../data/photo.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { NotUndone, saveOver } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import type { Arrangement } from "./arrange/arrangement.ts";

/** The name of the person who added a photo or video; null if there is none or the reader may not see it. */
export const creditQuery = (client: SupabaseClient, mediaId: string) =>
  queryOptions({
    queryKey: queryKeys.credit(mediaId),
    queryFn: async ({ signal }): Promise<string | null> => {
      const data = await client
        .from("media_credits")
        .select("name")
        .eq("media_id", mediaId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load who added it"));
      return data?.name ?? null;
    },
  });

/** A photo's caption and description, and the words on its back. */
export type CaptionValues = Pick<Photo, "caption" | "alt_text" | "back_text">;

/** The texts with the revision of their row. */
export type CaptionRow = CaptionValues & Pick<Photo, "revision">;

const CAPTION = "caption,alt_text,back_text,revision" as const;

/**
 * Returns a mutation that saves a photo's changed caption and description over the row on which they are based. Resolves
 * to the stored row. Rejects with `EditConflict` if somebody else changed the same text.
 */
export function useDescribe(client: SupabaseClient, photo: Pick<Photo, "id" | "memory_id">) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, photo.memory_id);
  const table = () => client.from("media");
  return useMutation({
    mutationFn: ({ base, changes }: { base: CaptionRow; changes: Partial<CaptionValues> }) =>
      saveOver<CaptionRow>(base, changes, {
        failure: "Failed to save the caption",
        write: (changed) => table().update(changed).eq("id", photo.id).select(CAPTION).maybeSingle(),
        read: () => table().select(CAPTION).eq("id", photo.id).maybeSingle(),
      }),
    onSuccess: (stored) => {
      changeData<Photo[]>(cache, queryKey, (photos) =>
        photos.map((other) => (other.id === photo.id ? { ...other, ...stored } : other)),
      );
    },
    onError: () => refresh(cache, queryKey),
  });
}

/** New dates of photos and videos by id. */
type MediaDates = ReadonlyMap<string, Pick<Photo, "taken_at" | "taken_source">>;

/** Returns the photos' new dates if a person enters `date`. If it is a full day, photos keep their time of day. */
export function datesFor(photos: readonly Pick<Photo, "id" | "taken_at">[], date: ApproximateDate | null): MediaDates {
  const isDay = date !== null && /^\d{4}-\d\d-\d\d$/.test(date);
  return new Map(
    photos.map(({ id, taken_at }) => {
      const time = isDay ? taken_at?.match(/T\d\d:\d\d:\d\d/)?.[0] : undefined;
      return [id, { taken_at: time ? `${date}${time}` : date, taken_source: "person" }];
    }),
  );
}

/** Returns the photos' current dates, for the undo. */
export const datesOf = (photos: readonly Pick<Photo, "id" | "taken_at" | "taken_source">[]): MediaDates =>
  new Map(photos.map(({ id, taken_at, taken_source }) => [id, { taken_at, taken_source }]));

const daysIn = (dates: MediaDates) => [...dates.values()].map(({ taken_at }) => taken_at);

/** A change of dates, or the undo of one: it puts dates back where the expected ones still stand. */
interface ChangeOfDates {
  dates: MediaDates;
  expected?: MediaDates;
}

/**
 * Returns a mutation that sets the dates of photos and videos in one statement, with an optimistic update. An undo
 * rejects with `NotUndone` if it left a date alone.
 */
export function useSetDates(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    // Requests run in sequence, because the undo may be pressed before the server has answered the change.
    scope: { id: `dates-${memoryId}` },
    mutationFn: async ({ dates, expected }: ChangeOfDates) => {
      const values = { ids: [...dates.keys()], dates: daysIn(dates) };
      if (!expected) return void (await client.rpc("set_media_dates", values).then(unwrap("Failed to set dates")));
      const restored = await client
        .rpc("restore_media_dates", { ...values, expected: daysIn(expected) })
        .then(unwrap("Failed to set dates"));
      if (restored.length < dates.size) throw new NotUndone();
    },
    ...optimisticUpdate(cache, {
      queryKey: photosQuery(client, memoryId).queryKey,
      change: (photos: Photo[], { dates }: ChangeOfDates) =>
        photos.map((photo) => {
          const date = dates.get(photo.id);
          return date ? { ...photo, ...date, rank: undefined } : photo;
        }),
    }),
  });
}

export { type Arrangement, arrangement, undone } from "./arrange/arrangement.ts";

/**
 * Returns a mutation that moves photos within their memory, or undoes it, with an optimistic update. An undo rejects
 * with `NotUndone` if somebody has moved one of the photos since.
 */
export function useArrange(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, memoryId);
  return useMutation({
    // Requests run in sequence, because each move is relative to the previous order.
    scope: { id: `arrange-${memoryId}` },
    mutationFn: async ({ call }: Arrangement) => {
      if ("restored" in call) {
        const { restored } = call;
        const isDone = await client
          .rpc("restore_order", { memory_id: memoryId, ...restored })
          .then(unwrap("Failed to arrange photos"));
        if (!isDone) throw new NotUndone();
        return;
      }
      const { error } =
        "all" in call
          ? await client.rpc("arrange_media", { memory_id: memoryId, ids: call.all })
          : await client.rpc("move_media", { memory_id: memoryId, ...call });
      if (error) throw new Error("Failed to arrange photos", { cause: error });
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (photos: Photo[], { positions }: Arrangement) =>
        photos.map((photo) => {
          const position = positions.get(photo.id);
          return position === undefined ? photo : { ...photo, position };
        }),
      // After a success the photos are not reloaded, because the page already shows the new order of maybe thousands.
      readAgain: (unsure) => refresh(cache, queryKeys.memory(memoryId), ...(unsure ? [queryKey] : [])),
    }),
  });
}

/** The moved photos, and those that the server refused to move. */
export interface Moved {
  moved: Photo[];
  remaining: Photo[];
  /** Whether the target's storage was full. */
  full: boolean;
}

const AT_ONCE = 4;

const nameIn = (memoryId: string, objectName: string) => `${memoryId}/${objectName.split("/").at(-1)}`;

/**
 * Moves photos, and the posters of videos, to another memory with the storage protocol's move operation, which also
 * moves the bytes. Resolves even if some photos could not be moved.
 */
export async function movePhotos(client: SupabaseClient, photos: readonly Photo[], memoryId: string): Promise<Moved> {
  const result: Moved = { moved: [], remaining: [], full: false };
  const waiting = [...photos];
  const work = async () => {
    for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
      const to = nameIn(memoryId, photo.object_name);
      const { error } = await client.storage.from("media").move(photo.object_name, to);
      if (error) {
        result.remaining.push(photo);
        if ("statusCode" in error && Number(error.statusCode) === 507) result.full = true;
        continue;
      }
      if (photo.poster_name) {
        await client.storage.from("posters").move(photo.poster_name, nameIn(memoryId, photo.poster_name));
      }
      result.moved.push({ ...photo, memory_id: memoryId, object_name: to, is_cover: false, position: null });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return result;
}

/** Returns a mutation that moves photos to another memory, and then reloads both memories. */
export function useMovePhotos(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ photos, to }: { photos: readonly Photo[]; to: string }) => movePhotos(client, photos, to),
    onSettled: async (_moved, _error, { photos, to }) => {
      const memories = new Set([to, ...photos.map(({ memory_id }) => memory_id)]);
      const keys = [...memories].flatMap((id) => [queryKeys.photos(id), queryKeys.memory(id)]);
      await refresh(cache, ...keys, queryKeys.memories());
    },
  });
}
