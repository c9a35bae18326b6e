import type { SupabaseClient } from "@supabase/supabase-js";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Arrangement } from "./arrangement.ts";
import { photosQuery, showAtOnce } from "./media.queries.ts";

export { type Arrangement, arrangement } from "./arrangement.ts";

/** Puts photos at another place in their memory; shown at once, taken back if it could not be kept. */
export function useArrange(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    // One after the other: each is said in terms of where the last one left the photos.
    scope: { id: `arrange-${memoryId}` },
    mutationFn: async ({ call }: Arrangement) => {
      const { error } =
        "all" in call
          ? await client.rpc("arrange_media", { memory_id: memoryId, ids: call.all })
          : await client.rpc("place_media", { memory_id: memoryId, ...call });
      if (error) throw new Error("Failed to arrange photos", { cause: error });
    },
    onMutate: ({ positions }) =>
      showAtOnce(cache, client, memoryId, (photo) => {
        const position = positions.get(photo.id);
        return position === undefined ? photo : { ...photo, position };
      }),
    onError: (_error, _arrangement, takeBack) => takeBack?.(),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["memory", memoryId] }),
    onSettled: (_done, error) => (error ? cache.invalidateQueries(photosQuery(client, memoryId)) : undefined),
  });
}
