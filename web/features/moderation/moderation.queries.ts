import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Returned } from "../../../shared/database.ts";
import type { SupabaseClient } from "../../lib/database-client.ts";
import { shownAtOnce } from "../../lib/shown-at-once.ts";
import { useRowChanges } from "../../lib/use-row-changes.ts";
import { toast } from "../../ui/toasts.tsx";
import { waitingQuery } from "./waiting.queries.ts";

type Moderation = "shown" | "held" | "hidden";

/** What is decided on; `was` has a decision hold only for what it was made about. */
interface Item {
  kind: "media" | "story" | "comment" | "reaction";
  id: string;
  was?: Moderation;
}

/** Something that waits or is hidden, as the keepers see it. */
export type QueueItem = Returned<"moderation_queue">[number];

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

async function moderate(
  client: SupabaseClient,
  items: readonly Item[],
  decision: Moderation,
): Promise<Required<Item>[]> {
  const sent = items.map(({ kind, id, was }) => ({ kind, id, was }));
  const { data, error } = await client.rpc("moderate", { items: sent, decision });
  if (error) throw new Error("Failed to decide", { cause: error });
  return data;
}

const SHOWN_IN = ["moderation-queue", "photos", "stories", "comments", "reactions", "memory"];

const readAgain = (cache: QueryClient, memoryId: string) =>
  Promise.all([
    ...SHOWN_IN.map((key) => cache.invalidateQueries({ queryKey: [key, memoryId] })),
    cache.invalidateQueries({ queryKey: ["waiting"] }),
  ]);

/** Puts each of these back to what it was. */
async function putBack(client: SupabaseClient, changed: readonly Required<Item>[], now: Moderation): Promise<void> {
  for (const was of ["shown", "held", "hidden"] as const) {
    const those = changed.filter((item) => item.was === was).map((item) => ({ ...item, was: now }));
    if (those.length > 0) await moderate(client, those, was);
  }
}

interface Decision {
  items: readonly Item[];
  decision: "shown" | "hidden";
}

/** Shows or hides items, says so, and resolves to the way back; undefined where nothing has changed. */
export function useDecide(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("moderation");
  const cache = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ items, decision }: Decision) => moderate(client, items, decision),
    ...shownAtOnce(cache, {
      queryKey: ["moderation-queue", memoryId],
      change: (all: QueueItem[], { items }: Decision) => {
        const ids = new Set(items.map(({ id }) => id));
        return all.filter(({ id }) => !ids.has(id));
      },
      readAgain: () => void readAgain(cache, memoryId),
    }),
  });
  return useCallback(
    async (items: readonly Item[], decision: "shown" | "hidden"): Promise<(() => void) | undefined> => {
      const failed = () => toast({ title: t("decideFailed"), description: t("unchanged"), tone: "problem" });
      try {
        const changed = await mutateAsync({ items, decision });
        if (changed.length === 0) {
          toast({ title: t("already") });
          return undefined;
        }
        const undo = () =>
          void putBack(client, changed, decision)
            .catch(failed)
            .finally(() => readAgain(cache, memoryId));
        const title = decision === "shown" ? "shownNow" : "hiddenNow";
        toast({ title: t(title, { count: changed.length }), action: { label: t("undo"), onSelect: undo } });
        return undo;
      } catch {
        failed();
        return undefined;
      }
    },
    [client, memoryId, t, cache, mutateAsync],
  );
}

/** Somebody who may be blocked: with an account, or a guest. */
interface Blockable {
  name: string;
  user_id: string | null;
  guest_id?: string | null;
}

/** Shuts somebody out of a memory, says so with a way back, and resolves to that; undefined where it could not be done. */
export function useBlock(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("moderation");
  const cache = useQueryClient();
  const changed = () =>
    Promise.all([
      readAgain(cache, memoryId),
      ...["blocks", "people", "invitations", "handover"].map((key) =>
        cache.invalidateQueries({ queryKey: [key, memoryId] }),
      ),
    ]);
  return async (who: Blockable, hide: boolean): Promise<(() => void) | undefined> => {
    const name = who.name || t("someone");
    const failed = () => toast({ title: t("blockFailed", { name }), description: t("unchanged"), tone: "problem" });
    const asked = { memory_id: memoryId, person: who.user_id, guest: who.user_id ? null : who.guest_id, hide };
    const { data, error } = await client.rpc("block_person", asked);
    void changed();
    if (error) {
      failed();
      return undefined;
    }
    const { id, hidden } = data;
    const undo = async () => {
      try {
        await unblock(client, id);
        await putBack(client, hidden, "hidden");
      } catch {
        failed();
      }
      await changed();
    };
    toast({ title: t("blocked", { name }), action: { label: t("undo"), onSelect: () => void undo() } });
    return () => void undo();
  };
}

async function unblock(client: SupabaseClient, id: string) {
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

/** Lets somebody back in, and says so. */
export function useUnblock(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("moderation");
  const cache = useQueryClient();
  return async ({ id, name }: { id: string; name: string }) => {
    try {
      await unblock(client, id);
      toast({ title: t("unblocked", { name: name || t("someone") }), tone: "success" });
    } catch {
      toast({ title: t("decideFailed"), description: t("unchanged"), tone: "problem" });
    }
    for (const key of ["blocks", "people"]) await cache.invalidateQueries({ queryKey: [key, memoryId] });
  };
}
