import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys, refresh } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

/** An entry of a timeline or programme. */
export type Entry = Pick<
  Row<"memory_entries">,
  "id" | "on_date" | "starts_at" | "title" | "place" | "note" | "media_id" | "created_at"
>;

export type EntryText = Omit<Entry, "id" | "created_at">;

/** A memory's entries, unsorted. */
export const entriesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.entries(memoryId),
    queryFn: async ({ signal }): Promise<Entry[]> =>
      client
        .from("memory_entries")
        .select("id,on_date,starts_at,title,place,note,media_id,created_at")
        .eq("memory_id", memoryId)
        .order("created_at")
        .abortSignal(signal)
        .then(unwrap("Failed to load entries")),
  });

/** Shows changes to entries live. */
export const useEntriesLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "memory_entries", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "memory_entries" },
    ],
    [entriesQuery(client, memoryId).queryKey],
  );

/** Saves an entry with an id made by its form, so that a repeated request creates only one. */
export function useSaveEntry(client: SupabaseClient, memoryId: string, onSaved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, isNew, words }: { id: string; isNew: boolean; words: EntryText }) => {
      const change = () => client.from("memory_entries").update(words).eq("id", id);
      const { error } = isNew
        ? await client.from("memory_entries").insert({ id, memory_id: memoryId, ...words })
        : await change();
      const again = error?.code === "23505" ? await change() : { error };
      if (again.error) throw new Error("Failed to save the entry", { cause: again.error });
      await refresh(cache, entriesQuery(client, memoryId).queryKey);
    },
    onSuccess: onSaved,
  });
}
