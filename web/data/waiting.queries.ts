import { queryOptions } from "@tanstack/react-query";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";

/** How much waits for a yes in each memory that the signed-in person keeps, by its id. */
export const waitingQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.waiting(),
    queryFn: async ({ signal }): Promise<Record<string, number>> => {
      const data = await client.rpc("waiting_counts").abortSignal(signal).then(unwrap("Failed to load what waits"));
      return Object.fromEntries(data.map(({ memory_id, count }) => [memory_id, count]));
    },
  });
