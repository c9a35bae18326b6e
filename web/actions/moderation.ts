import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
  type Item,
  moderate,
  putBack,
  type QueueItem,
  readModeratedAgain,
  unblock,
} from "../data/moderation.queries.ts";
import { queryKeys } from "../data/query-keys.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { refresh } from "../lib/request/refresh.ts";
import { toast } from "../ui/toasts.tsx";

interface Decision {
  items: readonly Item[];
  decision: "shown" | "hidden";
}

/** Returns a function that shows or hides items, with a toast. It resolves to the undo; undefined without a change. */
export function useDecide(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("moderation");
  const cache = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ items, decision }: Decision) => moderate(client, items, decision),
    ...optimisticUpdate(cache, {
      queryKey: queryKeys.moderationQueue(memoryId),
      change: (all: QueueItem[], { items }: Decision) => {
        const ids = new Set(items.map(({ id }) => id));
        return all.filter(({ id }) => !ids.has(id));
      },
      readAgain: () => void readModeratedAgain(cache, memoryId),
    }),
  });
  return useCallback(
    async (items: readonly Item[], decision: "shown" | "hidden"): Promise<(() => void) | undefined> => {
      const failed = () => toast({ title: t("decideFailed"), description: t("unchanged"), tone: "problem" });
      try {
        const changedItems = await mutateAsync({ items, decision });
        if (changedItems.length === 0) {
          toast({ title: t("already") });
          return undefined;
        }
        const undo = () =>
          void putBack(client, changedItems, decision)
            .catch(failed)
            .finally(() => readModeratedAgain(cache, memoryId));
        const title = decision === "shown" ? "shownNow" : "hiddenNow";
        toast({ title: t(title, { count: changedItems.length }), action: { label: t("undo"), onSelect: undo } });
        return undo;
      } catch {
        failed();
        return undefined;
      }
    },
    [client, memoryId, t, cache, mutateAsync],
  );
}

/** A person with an account, or a guest, who can be blocked. */
interface Blockable {
  name: string;
  user_id: string | null;
  guest_id?: string | null;
}

/**
 * Returns a function that blocks a person from a memory, with a toast. It resolves to the undo; undefined on failure.
 */
export function useBlock(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("moderation");
  const cache = useQueryClient();
  const readAgain = () =>
    Promise.all([
      readModeratedAgain(cache, memoryId),
      refresh(
        cache,
        ...[queryKeys.blocks, queryKeys.people, queryKeys.invitations, queryKeys.handover].map((of) => of(memoryId)),
      ),
    ]);
  return async (who: Blockable, hide: boolean): Promise<(() => void) | undefined> => {
    const name = who.name || t("someone");
    const failed = () => toast({ title: t("blockFailed", { name }), description: t("unchanged"), tone: "problem" });
    const block = { memory_id: memoryId, person: who.user_id, guest: who.user_id ? null : who.guest_id, hide };
    const { data, error } = await client.rpc("block_person", block);
    void readAgain();
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
      await readAgain();
    };
    toast({ title: t("blocked", { name }), action: { label: t("undo"), onSelect: () => void undo() } });
    return () => void undo();
  };
}

/** Returns a function that unblocks a person, with a toast. */
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
    await refresh(cache, queryKeys.blocks(memoryId), queryKeys.people(memoryId));
  };
}
