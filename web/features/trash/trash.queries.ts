import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Returned } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { type Deleted, restoreDeleted } from "../../lib/request/deletions.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** An item that the signed-in person deleted and may restore. */
export type DeletedItem = Returned<"deleted_items">[number];

/** The maximum number of items in a response. */
const PAGE = 300;

/** A person's deleted items, newest first; with a memory only those of it. */
export const trashQuery = (client: SupabaseClient, userId: string, memoryId?: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.trash(userId, memoryId ?? "all"),
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }): Promise<DeletedItem[]> =>
      client
        .rpc("deleted_items", { skip: pageParam, ...(memoryId ? { of_memory: memoryId } : {}) }, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to load the trash")),
    getNextPageParam: (page, pages) => (page.length === PAGE ? pages.length * PAGE : undefined),
  });

/** Keeps the list current across pages and devices. */
export const useTrashLive = (client: SupabaseClient, userId: string) =>
  useRefreshedData(
    client,
    [{ event: "*", table: "trash", filter: `deleted_by=eq.${userId}` }],
    [queryKeys.trash(), queryKeys.storage()],
  );

/** An item may appear on any page, so all shown data is reloaded. */
function useReadAgain() {
  const cache = useQueryClient();
  return { onSettled: () => cache.invalidateQueries() };
}

export const useRestore = (client: SupabaseClient) =>
  useMutation({ mutationFn: (item: Deleted) => restoreDeleted(client, [item]), ...useReadAgain() });

/** Permanently deletes one item. */
export const useDeleteForever = (client: SupabaseClient) =>
  useMutation({
    mutationFn: async ({ kind, id }: Deleted) => {
      await client.rpc("delete_forever", { items: [{ kind, id }] }).then(unwrap("Failed to delete for good"));
    },
    ...useReadAgain(),
  });

/** Permanently deletes items that the person deleted, or that others deleted from the person's memories. */
export const useEmptyTrash = (client: SupabaseClient) =>
  useMutation({
    mutationFn: async ({ ofOthers }: { ofOthers: boolean }) => {
      await client.rpc("empty_trash", { of_others: ofOthers }).then(unwrap("Failed to empty the trash"));
    },
    ...useReadAgain(),
  });

/** Whether a restore was refused because the plan allows no more memories. */
export const isMemoryLimit = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { hint?: string } | undefined)?.hint === "memory_limit";
