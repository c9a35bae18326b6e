import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { singleRowQuery, useSaveSingleRow } from "./single-row.ts";

/** The words on a memory's printed cards, as they are stored. */
export type Prints = Omit<Row<"memory_prints">, "memory_id">;

const COLUMNS = "title,words,hint,place_words,design,extra_names,left_out,revision" as const;
const NO_PRINTS: Prints = {
  title: null,
  words: null,
  hint: null,
  place_words: null,
  design: "plain",
  extra_names: [],
  left_out: [],
  revision: 0,
};

const printsOf = (client: SupabaseClient, memoryId: string) => {
  const table = () => client.from("memory_prints");
  return {
    queryKey: queryKeys.prints(memoryId),
    nothing: NO_PRINTS,
    read: (signal: AbortSignal) =>
      table().select(COLUMNS).eq("memory_id", memoryId).abortSignal(signal).maybeSingle<Prints>(),
    insert: (values: Partial<Prints>) =>
      table()
        .insert({ memory_id: memoryId, ...values })
        .select(COLUMNS)
        .single<Prints>(),
    update: (values: Partial<Prints>) =>
      table().update(values).eq("memory_id", memoryId).select(COLUMNS).maybeSingle<Prints>(),
    failures: { load: "Failed to load the printed words", save: "Failed to save the printed words" },
  };
};

/** The words of a memory's printed cards. */
export const printsQuery = (client: SupabaseClient, memoryId: string) => singleRowQuery(printsOf(client, memoryId));

/** Saves the words. Rejects with `EditConflict` if somebody else changed the same ones since. */
export const useSavePrints = (client: SupabaseClient, memoryId: string) => useSaveSingleRow(printsOf(client, memoryId));

/** A link whose code can be printed. */
export type PrintedLink = Pick<
  Row<"share_links">,
  "id" | "share_id" | "label" | "rights" | "asks" | "admitted_since_version" | "is_first" | "created_at"
>;

const MOST_LINKS = 200;

/** The memory's links that open now, the first one first. */
export const printedLinksQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.shareLinks("printed", memoryId),
    queryFn: async ({ signal }): Promise<PrintedLink[]> =>
      client
        .from("share_links")
        .select("id,share_id,label,rights,asks,admitted_since_version,is_first,created_at")
        .eq("memory_id", memoryId)
        .not("shared_at", "is", null)
        .is("revoked_at", null)
        .is("invitation_id", null)
        .is("for_card", false)
        .or(`expires_at.is.null,expires_at.gt.${new Date(serverNow()).toISOString()}`)
        .order("is_first", { ascending: false })
        .order("created_at")
        .order("id")
        .limit(MOST_LINKS)
        .abortSignal(signal)
        .then(unwrap("Failed to load the links")),
  });

/** Makes links with these names, with what people can do by the memory's first link, and without a PIN. */
export function useMakeLinks(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (labels: readonly string[]): Promise<string[]> => {
      const settings = await client
        .from("share_links")
        .select("rights,moderated,shows_names,allows_download")
        .eq("memory_id", memoryId)
        .eq("is_first", true)
        .single()
        .then(unwrap("Failed to load the first link"));
      // Links that were made at once are listed by their ids.
      const ids = labels.map(() => crypto.randomUUID()).sort();
      const links = labels.map((label, at) => ({ id: ids[at], memory_id: memoryId, label, ...settings }));
      const { error } = await client.from("share_links").insert(links);
      if (error) throw new Error("Failed to make the links", { cause: error });
      return ids;
    },
    onSettled: () => refresh(cache, queryKeys.shareLinks()),
  });
}

/** Deletes links that were made just before. */
export function useDeleteLinks(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const { error } = await client.from("share_links").delete().in("id", ids);
      if (error) throw new Error("Failed to delete the links", { cause: error });
    },
    onSettled: () => refresh(cache, queryKeys.shareLinks()),
  });
}
