import { type FetchQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { changeData } from "../lib/request/refresh.ts";
import { serverNow } from "../lib/request/server-clock.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import type { Memory } from "./memories.queries.ts";
import { keyOf, PHOTO_COLUMNS, type Photo, photoOf } from "./photo.ts";
import type { PhotoOrder } from "./photo-order.ts";
import { queryKeys } from "./query-keys.ts";

const KEY_LENGTH = 8;
const COLOUR_LENGTH = 3;
/** Ratios are stored as a height of this number of pixels, and a width. */
const HEIGHT = 1000;
const MOST_KEYS = 500;
const TOGETHER_MS = 20;
const KINDS: Record<string, Pick<Photo, "type" | "pages">> = {
  i: { type: "image", pages: null },
  v: { type: "video", pages: null },
  a: { type: "audio", pages: null },
  p: { type: "image", pages: 1 },
};

type Outline = Returned<"photo_outline">[number];

/** Photos of which only the outline is known. */
export function outlinedPhotos(outline: Outline, memoryId: string, order: PhotoOrder): Photo[] {
  const { keys, kinds, colours, ratios, dates, cover } = outline;
  // What changes from now on is read again.
  const now = new Date(serverNow()).toISOString();
  const countByKey = new Map<string, number>();
  return Array.from(kinds, (kind, place) => {
    const key = keys.slice(place * KEY_LENGTH, (place + 1) * KEY_LENGTH);
    const colour = colours.slice(place * COLOUR_LENGTH, (place + 1) * COLOUR_LENGTH);
    const [ratio, date] = [ratios[place] ?? null, dates[place] ?? null];
    // Two ids may begin alike.
    const copies = countByKey.get(key) ?? 0;
    countByKey.set(key, copies + 1);
    return {
      ...EMPTY,
      ...KINDS[kind],
      id: copies > 0 ? `${key}~${copies}` : key,
      memory_id: memoryId,
      colour: colour.startsWith("-") ? null : `#${colour.replace(/./g, "$&$&")}`,
      width: ratio && Math.round(ratio * HEIGHT),
      height: ratio && HEIGHT,
      taken_at: order === "added" ? null : date,
      created_at: order === "added" && date ? date : now,
      updated_at: now,
      is_cover: key === cover,
      rank: { order, place },
      outlined: true,
    };
  });
}

const EMPTY: Omit<
  Photo,
  "id" | "memory_id" | "colour" | "width" | "height" | "taken_at" | "created_at" | "updated_at" | "is_cover"
> = {
  type: "image",
  pages: null,
  size: 0,
  object_name: "",
  time_order: null,
  state: "ready",
  damaged: false,
  animated: false,
  caption: "",
  alt_text: "",
  position: null,
  duration: null,
  peaks: null,
  poster_name: null,
  playback: null,
  playback_progress: null,
  visitor_copy: null,
  motion: null,
  has_raw: false,
  has_back: false,
  back_width: null,
  back_height: null,
  back_text: "",
  edit: null,
  revision: 0,
  user_id: null,
  file_name: "",
  taken_source: null,
};

/** Replaces outlined photos with these keys by their loaded rows. Those without a row do not exist any more. */
export function withRows(photos: readonly Photo[], keys: ReadonlySet<string>, rows: readonly Photo[]): Photo[] {
  const byKey = new Map<string, Photo[]>();
  for (const row of rows) byKey.set(keyOf(row.id), [...(byKey.get(keyOf(row.id)) ?? []), row]);
  const loaded = new Set(photos.map(({ id }) => id));
  return photos.flatMap((photo) => {
    const key = keyOf(photo.id);
    if (!photo.outlined || !keys.has(key)) return [photo];
    const row = byKey.get(key)?.find(({ id }) => !loaded.has(id));
    if (row) loaded.add(row.id);
    return row ? [{ ...row, rank: photo.rank }] : [];
  });
}

/** The outline of a memory's photos in an order; undefined if the memory does not exist. */
export const outlineQuery = (client: SupabaseClient, memoryId: string, order: PhotoOrder) =>
  queryOptions({
    queryKey: queryKeys.photoOutline(memoryId, order),
    queryFn: async ({ signal }): Promise<Outline | undefined> => {
      const outlines = await client
        .rpc("photo_outline", { memory_id: memoryId, sort_by: order }, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to load photos"));
      return outlines[0];
    },
    gcTime: 0,
  });

/** The rows of the photos whose ids begin with these keys. */
export const photoRowsQuery = (client: SupabaseClient, memoryId: string, keys: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.photoRows(memoryId, keys),
    queryFn: async ({ signal }): Promise<Photo[]> => {
      const rows = await client
        .rpc("photos_by_key", { memory_id: memoryId, keys: [...keys] }, { get: true })
        .select(PHOTO_COLUMNS)
        .abortSignal(signal)
        .then(unwrap("Failed to load photos"));
      return rows.map((row) => photoOf(row, memoryId));
    },
    retry: 3,
    gcTime: 0,
  });

/** Reads the outline of a memory's photos, in the order of the former one, and the rows that were loaded before. */
export async function readOutline(
  cache: QueryClient,
  client: SupabaseClient,
  { id, media_order }: Pick<Memory, "id" | "media_order">,
  before: readonly Photo[],
  order: PhotoOrder = before.find(({ rank }) => rank)?.rank?.order ?? media_order,
): Promise<Photo[]> {
  const keys = before.filter(({ outlined }) => !outlined).map((photo) => keyOf(photo.id));
  const [outline, ...pages] = await Promise.all([
    cache.fetchQuery({ ...outlineQuery(client, id, order), staleTime: 0 }),
    ...inParts(keys).map((part) => cache.fetchQuery({ ...photoRowsQuery(client, id, part), staleTime: 0 })),
  ]);
  return outline ? withRows(outlinedPhotos(outline, id, order), new Set(keys), pages.flat()) : [];
}

const inParts = (keys: readonly string[]) =>
  Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, part) =>
    keys.slice(part * MOST_KEYS, (part + 1) * MOST_KEYS),
  );

/** Keys that wait for their request, by the cache and the memory, and those whose rows are being read. */
const queues = new WeakMap<QueryClient, Map<string, { waiting: Set<string>; running: Set<string> }>>();

/** Loads the rows of outlined photos. Those that are requested at the same time are read together. */
export function loadRows(cache: QueryClient, client: SupabaseClient, memoryId: string, photos: readonly Photo[]): void {
  const ofCache = queues.get(cache) ?? new Map<string, { waiting: Set<string>; running: Set<string> }>();
  queues.set(cache, ofCache);
  const queue = ofCache.get(memoryId) ?? { waiting: new Set(), running: new Set() };
  ofCache.set(memoryId, queue);
  const isIdle = queue.waiting.size === 0;
  for (const { id, outlined } of photos) {
    if (outlined && !queue.running.has(keyOf(id))) queue.waiting.add(keyOf(id));
  }
  if (!isIdle || queue.waiting.size === 0) return;
  setTimeout(() => {
    const keys = [...queue.waiting];
    queue.waiting.clear();
    for (const key of keys) queue.running.add(key);
    void Promise.all(
      inParts(keys).map(async (part) => {
        const rows = await cache.fetchQuery({ ...photoRowsQuery(client, memoryId, part), staleTime: 0 });
        changeData<Photo[]>(cache, queryKeys.photos(memoryId), (before) => withRows(before, new Set(part), rows));
      }),
    )
      // They are requested again when they come near the viewport.
      .catch(() => {})
      .finally(() => {
        for (const key of keys) queue.running.delete(key);
      });
  }, TOGETHER_MS);
}

/** Loads all rows of a list that is outlined, by the query of the whole list. */
export async function loadAll(cache: QueryClient, query: FetchQueryOptions<Photo[]>): Promise<void> {
  // A running read may be that of an outline.
  await cache.cancelQueries({ queryKey: query.queryKey, exact: true });
  await cache.fetchQuery({ ...query, staleTime: 0 });
}

/** Reads the outline again in another order. */
export async function reorder(
  cache: QueryClient,
  client: SupabaseClient,
  memoryId: string,
  order: PhotoOrder,
): Promise<void> {
  const queryKey = queryKeys.photos(memoryId);
  await cache.fetchQuery({
    queryKey,
    queryFn: () =>
      readOutline(cache, client, { id: memoryId, media_order: order }, cache.getQueryData(queryKey) ?? [], order),
    staleTime: 0,
  });
}
