import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Returned } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { type Deleted, restoreDeleted } from "../../lib/request/deletions.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** An item that the signed-in person deleted and may restore. */
export type DeletedItem = Returned<"deleted_items">[number];

/** Maximum number of items in a response. */
const PAGE = 300;
/** Number of items from a page's beginning that the server counts; it reports one more if there are more. */
const COUNTED = 1000;

/** A person's deleted items, newest first. `memoryId` selects the items of one memory. */
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

/** Returns the number of items in the trash by its last loaded page, and whether there may be more than that. */
export function countOf(pages: readonly DeletedItem[][]): { count: number; isMore: boolean } {
  // A last page may be empty.
  const skipped = (pages.filter((page) => page.length > 0).length - 1) * PAGE;
  const count = pages.flat().at(-1)?.total ?? 0;
  return count > skipped + COUNTED ? { count: count - 1, isMore: true } : { count, isMore: false };
}

/** Reloads the trash and the storage figures when items are deleted or restored, e.g. on another device. */
export const useTrashLive = (client: SupabaseClient, userId: string) =>
  useRefreshedData(
    client,
    [{ event: "*", table: "trash", filter: `deleted_by=eq.${userId}` }],
    [queryKeys.trash(), queryKeys.storage()],
  );

/** Returns options that reload all data after a mutation, because an item may appear on any page. */
function useReadAgain() {
  const cache = useQueryClient();
  return { onSettled: () => refresh(cache, []) };
}

export const useRestore = (client: SupabaseClient) =>
  useMutation({ mutationFn: (item: Deleted) => restoreDeleted(client, [item]), ...useReadAgain() });

/** Returns a mutation that permanently deletes one item. */
export const useDeleteForever = (client: SupabaseClient) =>
  useMutation({
    mutationFn: async ({ kind, id }: Deleted) => {
      await client.rpc("delete_forever", { items: [{ kind, id }] }).then(unwrap("Failed to delete for good"));
    },
    ...useReadAgain(),
  });

/**
 * Returns a mutation that permanently deletes the person's own deletions, or those of others in the person's memories.
 */
export const useEmptyTrash = (client: SupabaseClient) =>
  useMutation({
    mutationFn: async ({ ofOthers }: { ofOthers: boolean }) => {
      await client.rpc("empty_trash", { of_others: ofOthers }).then(unwrap("Failed to empty the trash"));
    },
    ...useReadAgain(),
  });

/** Returns whether a restore was refused because the plan allows no more memories. */
export const isMemoryLimit = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { hint?: string } | undefined)?.hint === "memory_limit";
