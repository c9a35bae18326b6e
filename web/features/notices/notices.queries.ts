import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshingMutation } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../lib/request/in-pages.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { type RowChange, useRowChanges } from "../../lib/request/use-row-changes.ts";
import type { Notice } from "./notice.ts";

const COLUMNS =
  "id,kind,memory_id,comment_id,story_id,media_id,actor_name,count,created_at,read_at,memories(person_name),share_links(album_id),media(type,object_name,poster_name,placeholder)";
const PAGE = 50;
const NEWEST_FIRST: PageOrder<Pick<Notice, "id" | "created_at">> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** A person's notices, in pages of 50, newest first. */
export const noticesQuery = (client: SupabaseClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.notices(userId, "list"),
    queryFn: async ({ pageParam, signal }): Promise<Notice[]> => {
      const query = client.from("notices").select(COLUMNS).eq("user_id", userId);
      // Many notices may have the same time, so the id is part of the order.
      return await inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load notices"));
    },
    initialPageParam: undefined as Pick<Notice, "id" | "created_at"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
  });

/** The number of unread notices. */
export const unreadQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.notices(userId, "unread"),
    queryFn: async ({ signal }): Promise<number> => {
      const { count, error } = await client
        .from("notices")
        .select("id", { count: "exact", head: true })
        .eq("user_id", userId)
        .is("read_at", null)
        .abortSignal(signal);
      if (error) throw new Error("Failed to count notices", { cause: error });
      return count ?? 0;
    },
  });

/** Updates the notices live. `onNew` is called with the newest unread notice of each update. */
export function useNoticesLive(client: SupabaseClient, userId: string, onNew: (notice: RowChange["row"]) => void) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "*", table: "notices", filter: `user_id=eq.${userId}` }], (changes) => {
    void refresh(cache, queryKeys.notices(userId));
    const last = changes?.findLast(({ event, row }) => event === "INSERT" && row.read_at === null);
    if (last) onNew(last.row);
  });
}

/** Returns a mutation that marks the notice with this id as read; undefined marks all. */
export const useMarkRead = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation([queryKeys.notices(userId)], async (id: string | undefined) => {
    const change = client.from("notices").update({ read_at: new Date().toISOString() }).eq("user_id", userId);
    await (id === undefined ? change : change.eq("id", id))
      .is("read_at", null)
      .then(unwrap("Failed to mark notices as read"));
  });
