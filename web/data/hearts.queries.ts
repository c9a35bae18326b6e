import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Row } from "../../shared/database.ts";
import { withAccountIds } from "../lib/request/account-ids.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { inPages, type PageOrder } from "../lib/request/in-pages.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { type RowChange, useRowChanges } from "../lib/request/use-row-changes.ts";
import { sendReaction, unlessWaiting, unsentReactions, withUnsent } from "./outbox/reactions.ts";
import { useSent, useUnsent } from "./outbox/use-outbox.ts";
import type { WrittenReaction } from "./outbox/waiting-write.ts";
import { queryKeys } from "./query-keys.ts";

/** A heart for a photo or video. Ids of accounts are missing for readers without one. */
export type Heart = Pick<Row<"reactions">, "id" | "guest_id"> & { media_id: string; user_id?: string | null };

/** The server's maximum number of rows. */
const ROWS = 1000;
const BY_ID: PageOrder<Heart> = [["id", "up"]];

/** The hearts for a memory's photos and videos that the reader may see. */
export const heartsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.hearts(memoryId),
    queryFn: async ({ signal }): Promise<Heart[]> => {
      const hearts: Heart[] = [];
      for (;;) {
        const request = client
          .from("reactions")
          .select(withAccountIds(client, "id,media_id,guest_id", "user_id"))
          .eq("memory_id", memoryId)
          .eq("kind", "heart")
          .is("comment_id", null)
          .not("media_id", "is", null);
        const page = await inPages(request, BY_ID, { after: hearts.at(-1), size: ROWS })
          .abortSignal(signal)
          .then(unwrap("Failed to load hearts"));
        for (const { media_id, ...heart } of page) if (media_id !== null) hearts.push({ ...heart, media_id });
        if (page.length < ROWS) return hearts;
      }
    },
  });

/** Shows hearts live as they are given and taken back. */
export function useHeartsLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = heartsQuery(client, memoryId);
  useRowChanges(
    client,
    [
      { event: "*", table: "reactions", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "reactions" },
    ],
    (changes) => {
      if (!changes) return void refresh(cache, queryKey);
      changeData<Heart[]>(cache, queryKey, (hearts) => changes.reduce(withHeartChange, hearts));
    },
  );
}

/** Applies a realtime change of a reaction; returns the same hearts if it concerns none of them. */
export function withHeartChange(hearts: Heart[], { event, row }: RowChange): Heart[] {
  const { id, media_id, comment_id, kind, guest_id, user_id } = row as unknown as Row<"reactions">;
  const isKnown = hearts.some((heart) => heart.id === id);
  if (event === "DELETE") return isKnown ? hearts.filter((heart) => heart.id !== id) : hearts;
  if (isKnown || kind !== "heart" || media_id === null || comment_id !== null) return hearts;
  return [...hearts, { id, media_id, guest_id, user_id }];
}

/** A heart that a person gives, or takes back if `taken`. */
interface HeartChange {
  row: WrittenReaction;
  taken: boolean;
}

/** Returns a mutation that gives or takes back a person's heart, with an optimistic update. */
export function useSaveHeart(client: SupabaseClient, memoryId: string, owner: string | undefined) {
  const cache = useQueryClient();
  const { queryKey } = heartsQuery(client, memoryId);
  return useMutation({
    networkMode: "always",
    // Requests run in sequence, because a heart must be stored before it is taken back.
    scope: { id: `hearts-${memoryId}` },
    mutationFn: ({ row, taken }: HeartChange) => sendReaction(owner ?? "", row, taken),
    ...unlessWaiting(
      optimisticUpdate(cache, {
        queryKey,
        change: (hearts: Heart[], { row, taken }: HeartChange) => {
          const others = hearts.filter(({ id }) => id !== row.id);
          return taken ? others : [...others, row as Heart];
        },
        readAgain: () => refresh(cache, queryKey, queryKeys.reactions(memoryId)),
      }),
    ),
  });
}

/** The stored hearts as they are once the reader's unsent ones have arrived, and these. */
export function useUnsentHearts(client: SupabaseClient, memoryId: string, owner: string | undefined, hearts: Heart[]) {
  const cache = useQueryClient();
  const entries = useUnsent(owner, memoryId);
  useSent(memoryId, (write, isLate) => {
    if (write.kind === "reaction" && isLate && isHeart(write.reaction))
      return refresh(cache, heartsQuery(client, memoryId).queryKey);
  });
  return useMemo(() => {
    const unsent = unsentReactions(entries, isHeart);
    const stored = hearts.map((heart) => ({ user_id: null, ...heart, kind: "heart" as const, comment_id: null }));
    return { hearts: unsent.length > 0 ? (withUnsent(stored, unsent) as Heart[]) : hearts, unsent };
  }, [entries, hearts]);
}

const isHeart = ({ kind, media_id, comment_id }: WrittenReaction) =>
  kind === "heart" && media_id !== null && comment_id === null;
