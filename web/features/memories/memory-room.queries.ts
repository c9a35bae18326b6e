import { queryOptions } from "@tanstack/react-query";
import { memoriesLeft, readSubscription } from "../../data/plans.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/**
 * Whether a person's plan keeps a further memory, asked once for each new one: `full` is how many it keeps where all of
 * them are in use, else null. What can not be read hinders nobody; the server decides.
 */
export const memoryRoomQuery = (client: SupabaseClient, userId: string, round: number) =>
  queryOptions({
    queryKey: queryKeys.memoryRoom(userId, round),
    queryFn: async ({ signal }): Promise<{ full: number | null }> => {
      const [plan, kept] = await Promise.all([
        readSubscription(client, userId, signal).catch(() => undefined),
        client.from("memories").select("*", { head: true, count: "exact" }).eq("user_id", userId).abortSignal(signal),
      ]);
      return { full: plan && memoriesLeft(plan, kept.count ?? 0) === 0 ? plan.max_memories : null };
    },
    // The memory that is being made counts too from its first word on, and must not end its own page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
