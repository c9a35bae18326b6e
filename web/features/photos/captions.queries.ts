import { useMutation, useQueryClient } from "@tanstack/react-query";
import { photosQuery } from "../../data/media.queries.ts";
import type { Photo } from "../../data/photo.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** What is written of a photo. */
export type CaptionValues = Pick<Photo, "caption" | "alt_text">;

/** Keeps what was written of a photo; the page shows it once it is kept. */
export function useDescribe(client: SupabaseClient, photo: Pick<Photo, "id" | "memory_id">) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, photo.memory_id);
  return useMutation({
    mutationFn: async (words: CaptionValues) => {
      const { data, error } = await client.from("media").update(words).eq("id", photo.id).select("id");
      if (error || data.length === 0) throw new Error("Failed to save the caption", { cause: error });
    },
    onSuccess: (_done, words) => {
      cache.setQueryData(queryKey, (photos) =>
        photos?.map((other) => (other.id === photo.id ? { ...other, ...words } : other)),
      );
      // What is being read just now may be older than the words.
      if (cache.isFetching({ queryKey }) > 0) void cache.invalidateQueries({ queryKey });
    },
    onError: () => cache.invalidateQueries({ queryKey }),
  });
}
