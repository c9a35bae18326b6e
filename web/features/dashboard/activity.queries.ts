import { queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { type AddedPhoto, addedBy } from "./activity.ts";

/** An event in one of the person's own memories; `photos` are some of the added ones, newest first. */
export type Activity = Returned<"recent_activity">[number] & { photos: readonly AddedPhoto[] };

const COLUMNS =
  "id,type,object_name,poster_name,placeholder,details:media_details(user_id),credit:media_credits(name)" as const;
/** The rows that are read of a day. Those of other people's additions are among them. */
const PER_DAY = 12;
const DAY_MS = 24 * 3600 * 1000;

/** The newest events in a person's own memories, newest first. */
export const activityQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    // Nested under the storage key, which is invalidated when photos change.
    queryKey: queryKeys.storage(userId, "activity"),
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const events = await client
        .rpc("recent_activity", undefined, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to load recent activity"));
      return Promise.all(
        events.map(async (event) =>
          event.kind === "added"
            ? { ...event, photos: await addedPhotos(client, userId, event, signal) }
            : { ...event, photos: [] },
        ),
      );
    },
  });

/** Some of the photos of an event, which counts those of a day in UTC; none if they cannot be read. */
async function addedPhotos(
  client: SupabaseClient,
  userId: string,
  { memory_id, at, mine }: Returned<"recent_activity">[number],
  signal: AbortSignal,
): Promise<AddedPhoto[]> {
  const day = Date.parse(`${new Date(at).toISOString().slice(0, 10)}T00:00:00Z`);
  const { data } = await client
    .from("media")
    .select(COLUMNS)
    .eq("memory_id", memory_id)
    .eq("moderation", "shown")
    .gte("created_at", new Date(day).toISOString())
    .lt("created_at", new Date(day + DAY_MS).toISOString())
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(PER_DAY)
    .abortSignal(signal);
  return addedBy(data ?? [], mine ? userId : undefined, userId);
}
