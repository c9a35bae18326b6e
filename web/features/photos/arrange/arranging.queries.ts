import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Photo, photosQuery } from "../../../data/media.queries.ts";
import { queryKeys, refresh } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import type { Arrangement } from "./arrangement.ts";

export { type Arrangement, arrangement } from "./arrangement.ts";

/** Puts photos at another place in their memory; shown at once, taken back if it could not be kept. */
export function useArrange(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, memoryId);
  return useMutation({
    // One after the other: each is said in terms of where the last one left the photos.
    scope: { id: `arrange-${memoryId}` },
    mutationFn: async ({ call }: Arrangement) => {
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
      // Thousands are not read again for what is on the screen already.
      readAgain: (unsure) => refresh(cache, queryKeys.memory(memoryId), ...(unsure ? [queryKey] : [])),
    }),
  });
}
