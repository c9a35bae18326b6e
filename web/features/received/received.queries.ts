import { queryOptions } from "@tanstack/react-query";
import { type MemorySummary, SUMMARY, summaryOf } from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** Maximum number of memberships in the list. */
const MOST_SHARED = 100;

/** The published memories of other people to which a person may add, the newest membership first. */
export const contributedMemoriesQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.memories(userId, "contributing"),
    queryFn: async ({ signal }): Promise<MemorySummary[]> => {
      const data = await client
        .from("memory_members")
        .select(`memories(${SUMMARY})` as const)
        .eq("user_id", userId)
        .in("role", ["contributor", "co-owner"])
        .is("memories.cover.is_cover", true)
        .eq("memories.cover.state", "ready")
        .order("created_at", { ascending: false })
        .limit(MOST_SHARED)
        .abortSignal(signal)
        .then(unwrap("Failed to load memories"));
      return data.flatMap(({ memories }) => (memories && !memories.draft ? [summaryOf(memories)] : []));
    },
  });
