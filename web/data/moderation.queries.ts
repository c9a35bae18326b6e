import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

export type Moderation = "shown" | "held" | "hidden";

/** An item to decide on; with `was`, only if it is in that state. */
export interface Item {
  kind: "media" | "story" | "comment" | "reaction";
  id: string;
  was?: Moderation;
}

/** An item that is waiting for approval or hidden, for managers. */
export type QueueItem = Returned<"moderation_queue">[number];

export const queueQuery = (client: SupabaseClient, memoryId: string, state: "held" | "hidden") =>
  queryOptions({
    queryKey: queryKeys.moderationQueue(memoryId, state),
    queryFn: async ({ signal }): Promise<QueueItem[]> =>
      client
        .rpc("moderation_queue", { memory_id: memoryId, state })
        .abortSignal(signal)
        .then(unwrap("Failed to load additions")),
  });

const TABLES = ["media", "stories", "comments", "reactions"];

/** Shows new, decided and deleted items live. */
export function useQueueLive(client: SupabaseClient, memoryId: string) {
  const changes = TABLES.flatMap((table) => [
    { event: "*" as const, table, filter: `memory_id=eq.${memoryId}` },
    { event: "DELETE" as const, table },
  ]);
  useRefreshedData(client, changes, [queryKeys.moderationQueue(memoryId), waitingQuery(client).queryKey]);
}

/** Decides on items; resolves to the changed ones, each with its former state. */
export async function moderate(
  client: SupabaseClient,
  items: readonly Item[],
  decision: Moderation,
): Promise<Required<Item>[]> {
  const decisions = items.map(({ kind, id, was }) => ({ kind, id, was }));
  return await client.rpc("moderate", { items: decisions, decision }).then(unwrap("Failed to decide"));
}

/** Reloads everything that shows moderated items. */
export function readModeratedAgain(cache: QueryClient, memoryId: string) {
  const { moderationQueue, photos, stories, comments, reactions, memory, waiting } = queryKeys;
  const shownIn = [moderationQueue, photos, stories, comments, reactions, memory];
  return refresh(cache, ...shownIn.map((of) => of(memoryId)), waiting());
}

/** Restores the former state of each item. */
export async function putBack(
  client: SupabaseClient,
  items: readonly Required<Item>[],
  now: Moderation,
): Promise<void> {
  for (const was of ["shown", "held", "hidden"] as const) {
    const those = items.filter((item) => item.was === was).map((item) => ({ ...item, was: now }));
    if (those.length > 0) await moderate(client, those, was);
  }
}

export async function unblock(client: SupabaseClient, id: string) {
  await client.rpc("unblock_person", { block_id: id }).then(unwrap("Failed to let the person back in"));
}

/** A memory's blocked people, for its managers. */
export const blocksQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.blocks(memoryId),
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> =>
      client
        .from("memory_blocks")
        .select("id,name")
        .eq("memory_id", memoryId)
        .order("created_at")
        .abortSignal(signal)
        .then(unwrap("Failed to load who is blocked")),
  });

/** The number of held items by memory, for the memories that the signed-in person manages. */
export const waitingQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.waiting(),
    queryFn: async ({ signal }): Promise<Record<string, number>> => {
      const data = await client.rpc("waiting_counts").abortSignal(signal).then(unwrap("Failed to load what waits"));
      return Object.fromEntries(data.map(({ memory_id, count }) => [memory_id, count]));
    },
  });
