import { queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** Name and dates of a memory, which are all that an upload-only link tells about it. */
export type UploadOccasion = Returned<"upload_occasion">[number];

/** The memory of the client's upload-only link; null for other links. */
export const uploadOccasionQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.uploadOccasion(memoryId),
    queryFn: async ({ signal }): Promise<UploadOccasion | null> => {
      const rows = await client.rpc("upload_occasion").abortSignal(signal).then(unwrap("Failed to load the memory"));
      return rows[0] ?? null;
    },
  });
