import type { SupabaseClient } from "@supabase/supabase-js";
import { queryOptions } from "@tanstack/react-query";

/** Something that happened in one of a person's own memories. */
export interface Activity {
  kind: "added" | "told" | "joined" | "began";
  memory_id: string;
  memory_name: string;
  /** Whether the person did it themselves. */
  mine: boolean;
  /** Who told a story, as they signed it. */
  author: string | null;
  /** How many photos and videos one person added on one day; 1 of anything else. */
  items: number;
  at: string;
}

/** The newest things that happened in a person's own memories, the newest first. */
export const activityQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    // Below what is told anew whenever photos come and go.
    queryKey: ["storage", userId, "activity"],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const { data, error } = await client.rpc("recent_activity", {}, { get: true }).abortSignal(signal);
      if (error) throw new Error("Failed to load recent activity", { cause: error });
      return data;
    },
  });
