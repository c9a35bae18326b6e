import { queryOptions } from "@tanstack/react-query";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** Under what name a photo or video was added; null where nobody gave one, and for whoever is not told names. */
export const creditQuery = (client: SupabaseClient, mediaId: string) =>
  queryOptions({
    queryKey: ["credit", mediaId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data, error } = await client
        .from("media_credits")
        .select("name")
        .eq("media_id", mediaId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw new Error("Failed to load who added it", { cause: error });
      return data?.name ?? null;
    },
  });
