import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import type { Photo } from "./photo.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";
import { type Answer, saveOver } from "./save-over.ts";
import type { DraftInput } from "./use-draft.ts";

/** A slideshow of a memory. `pictures` has the ids of its photos in their order. */
export type Slideshow = Pick<
  Row<"slideshows">,
  "id" | "title" | "pace" | "shows_captions" | "music_id" | "music_is_allowed" | "revision" | "changes"
> & { pictures: string[] };

/** The most photos in a slideshow. */
export const MOST_PICTURES = 300;
const MOST_SLIDESHOWS = 50;
const COLUMNS =
  "id,title,pace,shows_captions,music_id,music_is_allowed,revision,changes,items:slideshow_items(media_id,position)" as const;

type StoredSlideshow = Omit<Slideshow, "pictures"> & { items: { media_id: string; position: number }[] };

const slideshowOf = ({ items, ...row }: StoredSlideshow): Slideshow => ({
  ...row,
  pictures: items.toSorted((a, b) => a.position - b.position).map(({ media_id }) => media_id),
});

/** A memory's slideshows, the oldest first. */
export const slideshowsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.slideshows(memoryId, "list"),
    queryFn: async ({ signal }): Promise<Slideshow[]> => {
      const data = await client
        .from("slideshows")
        .select(COLUMNS)
        .eq("memory_id", memoryId)
        .order("created_at")
        .order("id")
        .limit(MOST_SLIDESHOWS)
        .abortSignal(signal)
        .then(unwrap("Failed to load the slideshows"));
      return data.map(slideshowOf);
    },
  });

/** Shows changes of a memory's slideshows live. */
export const useSlideshowsLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "slideshows", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "slideshows" },
    ],
    [queryKeys.slideshows(memoryId, "list")],
  );

/** The photos of a slideshow in their order, without those that are not shown now. */
export function photosOf({ pictures }: Pick<Slideshow, "pictures">, photos: readonly Photo[]): Photo[] {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  return pictures.flatMap((id) => {
    const photo = byId.get(id);
    return photo?.state === "ready" && photo.type === "image" ? [photo] : [];
  });
}

/** Adds a slideshow; resolves to its id. */
export function useAddSlideshow(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, title }: Pick<Slideshow, "id" | "title">) => {
      const { error } = await client.from("slideshows").insert({ id, memory_id: memoryId, title });
      // 23505: an earlier request stored it, and its response was lost.
      if (error && error.code !== "23505") throw new Error("Failed to add the slideshow", { cause: error });
      return id;
    },
    onSettled: () => refresh(cache, queryKeys.slideshows(memoryId, "list")),
  });
}

/** Saves a slideshow. Rejects with `EditConflict` if somebody else changed the same fields since. */
export function useSaveSlideshow(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ base, next }: DraftInput<Slideshow>) => {
      const read = async (): Promise<Answer<Slideshow>> => {
        const { data, error } = await client.from("slideshows").select(COLUMNS).eq("id", base.id).maybeSingle();
        return { data: data && slideshowOf(data), error };
      };
      const { changes: _changes, ...values } = next;
      return saveOver<Slideshow>(base, values, {
        failure: "Failed to save the slideshow",
        write: async ({ pictures, ...fields }) => {
          const { revision, ...others } = fields;
          const { error } = pictures
            ? await client.rpc("arrange_slideshow", { slideshow: base.id, pictures, revision })
            : await client.from("slideshows").update(fields).eq("id", base.id);
          if (error) return { data: null, error };
          const stored = await read();
          // Photos and settings are two writes; they are changed together only after a conflict.
          if (!pictures || !stored.data || Object.keys(others).length === 0) return stored;
          const second = await client
            .from("slideshows")
            .update({ ...others, revision: stored.data.revision })
            .eq("id", base.id);
          return second.error ? { data: null, error: second.error } : read();
        },
        read,
      });
    },
    onSuccess: (stored) =>
      cache.setQueryData(slideshowsQuery(client, memoryId).queryKey, (before) =>
        before?.map((one) => (one.id === stored.id ? stored : one)),
      ),
  });
}
