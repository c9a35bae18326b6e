import type { SupabaseClient } from "@supabase/supabase-js";
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useRowChanges } from "../lib/use-row-changes.ts";
import { waitingQuery } from "./waiting.queries.ts";

export type Moderation = "shown" | "held" | "hidden";

/** What is decided on; `was` has a decision hold only for what it was made about. */
export interface Item {
  kind: "media" | "story" | "comment" | "reaction";
  id: string;
  was?: Moderation;
}

/** Something that waits or is hidden, as the keepers see it. */
export interface QueueItem extends Item {
  created_at: string;
  /** Empty where nobody knows it. */
  name: string;
  user_id: string | null;
  guest_id: string | null;
  /** By which link it came; null for what the memory's people added. */
  link_id: string | null;
  link_label: string | null;
  title: string;
  /** HTML of a story, else plain text. */
  words: string;
  /** The photo or video itself, or the one that it is about. */
  media: {
    id: string;
    type: "image" | "video";
    object_name: string;
    poster_name: string | null;
    colour: string | null;
  } | null;
}

export const queueQuery = (client: SupabaseClient, memoryId: string, state: "held" | "hidden") =>
  queryOptions({
    queryKey: ["moderation-queue", memoryId, state],
    queryFn: async ({ signal }): Promise<QueueItem[]> => {
      const { data, error } = await client.rpc("moderation_queue", { memory_id: memoryId, state }).abortSignal(signal);
      if (error) throw new Error("Failed to load additions", { cause: error });
      return data;
    },
  });

const TABLES = ["media", "stories", "comments", "reactions"];

/** Follows what comes, is decided or goes, whoever decides it. */
export function useQueueLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const changes = TABLES.flatMap((table) => [
    { event: "*" as const, table, filter: `memory_id=eq.${memoryId}` },
    { event: "DELETE" as const, table },
  ]);
  useRowChanges(client, changes, () => {
    void cache.invalidateQueries({ queryKey: ["moderation-queue", memoryId] });
    void cache.invalidateQueries({ queryKey: waitingQuery(client).queryKey });
  });
}

/** Decides on items; resolves to those that changed, each with what it was. */
export async function moderate(
  client: SupabaseClient,
  items: readonly Item[],
  decision: Moderation,
): Promise<Required<Item>[]> {
  const sent = items.map(({ kind, id, was }) => ({ kind, id, was }));
  const { data, error } = await client.rpc("moderate", { items: sent, decision });
  if (error) throw new Error("Failed to decide", { cause: error });
  return data as Required<Item>[];
}

const SHOWN_IN = ["moderation-queue", "photos", "stories", "comments", "reactions", "memory"];

/** Has everything read again that shows moderated items. */
export const readModeratedAgain = (cache: QueryClient, memoryId: string) =>
  Promise.all([
    ...SHOWN_IN.map((key) => cache.invalidateQueries({ queryKey: [key, memoryId] })),
    cache.invalidateQueries({ queryKey: ["waiting"] }),
  ]);

/** Puts each of these back to what it was. */
export async function putBack(
  client: SupabaseClient,
  changed: readonly Required<Item>[],
  now: Moderation,
): Promise<void> {
  for (const was of ["shown", "held", "hidden"] as const) {
    const those = changed.filter((item) => item.was === was).map((item) => ({ ...item, was: now }));
    if (those.length > 0) await moderate(client, those, was);
  }
}

/** Lets somebody who was blocked back in. */
export async function unblock(client: SupabaseClient, id: string) {
  const { error } = await client.rpc("unblock_person", { block_id: id });
  if (error) throw new Error("Failed to let the person back in", { cause: error });
}

/** Who is shut out of a memory, for its keepers. */
export const blocksQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: ["blocks", memoryId],
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> => {
      const { data, error } = await client
        .from("memory_blocks")
        .select("id,name")
        .eq("memory_id", memoryId)
        .order("created_at")
        .abortSignal(signal);
      if (error) throw new Error("Failed to load who is blocked", { cause: error });
      return data;
    },
  });
