import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { serverNow } from "../lib/request/server-clock.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";
import { queryKeys } from "./query-keys.ts";
import { isWaiting, type Reveal } from "./reveal.ts";

/** Browsers run a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Pages ask within this time after the reveal, so that the server does not get all requests in one moment. */
const SPREAD_MS = 2000;

/** Reads everything again when the memory's reveal is changed, and at its time. */
export function useRevealLive(client: SupabaseClient, memoryId: string, reveal: Reveal | null) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "*", table: "reveals", filter: `memory_id=eq.${memoryId}` }], () => {
    void refresh(cache, []);
  });
  const at = isWaiting(reveal, serverNow()) ? reveal.reveal_at : null;
  useEffect(() => {
    if (at === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const remainingMs = Date.parse(at) - serverNow();
      const reveals = remainingMs <= LONGEST_TIMER_MS;
      timer = setTimeout(
        () => (reveals ? void refresh(cache, []) : wait()),
        reveals ? Math.max(0, remainingMs) + Math.random() * SPREAD_MS : LONGEST_TIMER_MS,
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [cache, at]);
}

export type RevealChanges = Partial<Pick<Reveal, "reveal_at" | "time_zone" | "revealed">>;

/** Somebody else has changed the reveal since it was loaded. */
export class RevealConflict extends Error {}

/** Sets or changes when a memory is revealed. Rejects with {@link RevealConflict} if somebody else has changed it. */
export function useChangeReveal(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ stored, ...changes }: RevealChanges & { stored: Reveal | null }) => {
      const { error, status } = stored
        ? await client
            .from("reveals")
            .update({ ...changes, revision: stored.revision })
            .eq("memory_id", memoryId)
        : await client.from("reveals").insert({ memory_id: memoryId, ...changes });
      if (error) throw new (status === 409 ? RevealConflict : Error)("Failed to save the reveal", { cause: error });
    },
    onSettled: () => refresh(cache, queryKeys.memory(memoryId)),
  });
}
