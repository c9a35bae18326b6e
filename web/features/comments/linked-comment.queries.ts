import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import type { Subject } from "./comment.ts";
import type { Cursor } from "./threads.ts";

type Found = Cursor & { parent_id: string | null };

/** Where the thread of a comment stands in its conversation; null where it is not there for the client's bearer. */
export const threadPositionQuery = (client: SupabaseClient, { memoryId, mediaId }: Subject, commentId: string) =>
  queryOptions({
    queryKey: queryKeys.linkedComment(memoryId, mediaId, commentId),
    queryFn: async ({ signal }): Promise<Cursor | null> => {
      const read = async (id: string): Promise<Found | null> => {
        const asked = client.from("comments").select("id,parent_id,created_at").eq("id", id).eq("memory_id", memoryId);
        return await (mediaId === null ? asked.is("media_id", null) : asked.eq("media_id", mediaId))
          .abortSignal(signal)
          .maybeSingle()
          .then(unwrap("Failed to find the comment"));
      };
      const found = await read(commentId);
      return found?.parent_id ? read(found.parent_id) : found;
    },
  });
