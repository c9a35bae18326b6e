import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Returned } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";
import { queryKeys } from "./query-keys.ts";

/** A person's used storage, as the server counts it for the limit. */
export type StorageUse = Returned<"storage_use">;

/** The storage of a person's own memories (Spec §3). */
export type StorageStats = Returned<"storage_stats">;

export type MemoryUse = Returned<"storage_by_memory">[number];

export type LargeItem = StorageStats["largest"][number];

export const storageQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.storage(userId),
    queryFn: async ({ signal }): Promise<StorageStats> => {
      // A GET can be retried after a network failure.
      return await client
        .rpc("storage_stats", undefined, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to calculate storage stats"));
    },
  });

/** The used storage, which every page shows. The query's cost does not grow with the number of files. */
export const storageUseQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.storage(userId, "use"),
    queryFn: async ({ signal }): Promise<StorageUse> =>
      client
        .rpc("storage_use", undefined, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to calculate storage stats")),
  });

const USES_PAGE = 50;

/** The storage of each of a person's memories, largest first, in pages. */
export const memoryUsesQuery = (client: SupabaseClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.storage(userId, "memories"),
    queryFn: async ({ pageParam, signal }): Promise<MemoryUse[]> =>
      client
        .rpc("storage_by_memory", { already: pageParam, most: USES_PAGE }, { get: true })
        .abortSignal(signal)
        .then(unwrap("Failed to calculate storage stats")),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length === USES_PAGE ? pages.length * USES_PAGE : undefined),
    select: ({ pages }) => pages.flat(),
  });

const AT_MOST_EVERY_MS = 2000;

/** Keeps a person's limit and used storage current. */
export function useAllowanceLive(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useRowChanges(
    client,
    [
      // No updates: preparing a photo does not change its size.
      { event: "INSERT", table: "media" },
      { event: "DELETE", table: "media" },
      // Permanent deletions: the photos themselves were invisible before.
      { event: "*", table: "trash", filter: `deleted_by=eq.${userId}` },
      { event: "*", table: "user_subscriptions", filter: `user_id=eq.${userId}` },
    ],
    (changes) => {
      if (!changes) return void refresh(cache, queryKeys.subscription(userId), queryKeys.storage(userId));
      if (changes.some(({ table }) => table === "user_subscriptions")) {
        void refresh(cache, queryKeys.subscription(userId));
      }
      // Throttled: two thousand photos uploaded over minutes must not cause a count each.
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void refresh(cache, queryKeys.storage(userId));
      }, AT_MOST_EVERY_MS);
    },
  );
}
