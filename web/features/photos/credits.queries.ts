import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** Under what name a photo or video was added; null where nobody gave one, and for whoever is not told names. */
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
