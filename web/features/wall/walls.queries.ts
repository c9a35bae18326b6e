import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import { readWallContents, type WallSettings, wallBindings } from "../../data/wall.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** A memory's wall, as its managers see it. */
export type Wall = Row<"walls"> & {
  /** The server's time at the zero of this page's monotonic clock, in milliseconds. */
  clock: number;
};

/** The changes of a wall that managers make. */
export type WallChanges = Partial<
  Pick<
    Row<"walls">,
    | "link_id"
    | "revoked_at"
    | "expires_at"
    | "shows_pictures"
    | "shows_words"
    | "shows_candles"
    | "shows_names"
    | "layout"
    | "pace"
    | "is_dark"
    | "plays_sound"
    | "is_paused"
    | "step"
  >
>;

/** A link that allows adding, for the QR code on the wall. */
export type AddingLink = Pick<Row<"share_links">, "id" | "label" | "rights" | "is_first" | "asks">;

/** A memory's wall; null without one. */
export const wallQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.wall(memoryId, "own"),
    queryFn: async ({ signal }): Promise<Wall | null> => {
      const wall = await client
        .from("walls")
        .select("*, read_at")
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the wall"));
      return wall && { ...wall, clock: Date.parse(String(wall.read_at)) - performance.now() };
    },
  });

/** What a wall shows, for its remote control. */
export const wallContentsQuery = (client: SupabaseClient, wall: WallSettings) =>
  queryOptions({
    queryKey: queryKeys.wall(wall.memory_id, "contents", {
      pictures: wall.shows_pictures,
      words: wall.shows_words,
      candles: wall.shows_candles,
    }),
    queryFn: () => readWallContents(client, wall),
  });

/** The open links of a memory that allow adding; those without a secret first. */
export const addingLinksQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.wall(memoryId, "links"),
    queryFn: async ({ signal }): Promise<AddingLink[]> => {
      const links = await client
        .from("share_links")
        .select("id,label,rights,is_first,asks,expires_at")
        .eq("memory_id", memoryId)
        .in("rights", ["contribute", "upload"])
        .is("invitation_id", null)
        .is("for_card", false)
        .is("revoked_at", null)
        .not("shared_at", "is", null)
        .order("asks", { nullsFirst: true })
        .order("created_at")
        .limit(50)
        .abortSignal(signal)
        .then(unwrap("Failed to load the links"));
      return links.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > serverNow());
    },
  });

/** Follows changes of the wall that other managers make, and of what it shows. */
export function useWallLive(client: SupabaseClient, { id, memory_id }: Wall) {
  useRefreshedData(client, wallBindings(id, memory_id), [queryKeys.wall(memory_id)]);
}

/** Adds a wall. Its QR code leads to a link that allows adding; a memory without one gets a moderated one. */
export function useAddWall(client: SupabaseClient, memoryId: string, label: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const [existingLink] = await cache.fetchQuery(addingLinksQuery(client, memoryId));
      const row = { memory_id: memoryId, rights: "upload" as const, label, moderated: true };
      const newLink = () =>
        client.from("share_links").insert(row).select("id").single().then(unwrap("Failed to make a link"));
      const link = existingLink ?? (await newLink());
      await client
        .from("walls")
        .insert({ memory_id: memoryId, link_id: link.id })
        .then(unwrap("Failed to add the wall"));
    },
    onSettled: () => refresh(cache, queryKeys.wall(memoryId), queryKeys.shareLinks()),
  });
}

/** Changes a wall. All its screens follow within a second. */
export function useChangeWall(client: SupabaseClient, { id, memory_id }: Wall) {
  const cache = useQueryClient();
  const { queryKey } = wallQuery(client, memory_id);
  return useMutation({
    mutationFn: async (changes: WallChanges) => {
      await client.from("walls").update(changes).eq("id", id).then(unwrap("Failed to change the wall"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      // What follows from the clock is only known to the server.
      change: (wall: Wall, { step: _step, is_paused: _paused, pace: _pace, ...changes }: WallChanges) => ({
        ...wall,
        ...changes,
      }),
      readAgain: () => refresh(cache, queryKeys.wall(memory_id)),
    }),
  });
}

/** Gives a wall a new address. The screens of the old one go dark. */
export function useRemakeWall(client: SupabaseClient, { id, memory_id }: Wall) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => client.rpc("remake_wall", { wall: id }).then(unwrap("Failed to change the address")),
    onSettled: () => refresh(cache, queryKeys.wall(memory_id)),
  });
}
