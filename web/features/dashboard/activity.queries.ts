import { queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** An event in one of the person's own memories. */
export type Activity = Returned<"recent_activity">[number];

/** The newest events in a person's own memories, newest first. */
export const activityQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    // Nested under the storage key, which is invalidated when photos change.
    queryKey: queryKeys.storage(userId, "activity"),
    queryFn: async ({ signal }): Promise<Activity[]> =>
      client
        .rpc("recent_activity", undefined, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to load recent activity")),
  });
