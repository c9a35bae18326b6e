import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys, refresh } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";
import { saveOver } from "./save-over.ts";

/** An entry of a timeline or programme. */
export type Entry = Pick<
  Row<"memory_entries">,
  "id" | "on_date" | "starts_at" | "title" | "place" | "note" | "media_id" | "created_at" | "updated_at"
>;

export type EntryText = Omit<Entry, "id" | "created_at" | "updated_at">;

const COLUMNS = "id,on_date,starts_at,title,place,note,media_id,created_at,updated_at" as const;

/** A memory's entries, unsorted. */
export const entriesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.entries(memoryId),
    queryFn: async ({ signal }): Promise<Entry[]> =>
      client
        .from("memory_entries")
        .select(COLUMNS)
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

interface EntryInput {
  id: string;
  words: EntryText;
  /** The entry as it was when editing began; absent for a new one. */
  base?: Entry;
}

/**
 * Saves an entry with an id made by its form, so that a repeated request creates only one. Rejects with
 * `ChangedMeanwhile` if somebody else changed the same fields since editing began.
 */
export function useSaveEntry(client: SupabaseClient, memoryId: string, onSaved: () => void) {
  const cache = useQueryClient();
  const failure = "Failed to save the entry";
  return useMutation({
    mutationFn: async ({ id, base, words }: EntryInput) => {
      const table = () => client.from("memory_entries");
      if (base) {
        await saveOver<Entry>(base, words, {
          failure,
          write: (changes, version) =>
            table().update(changes).eq("id", id).eq("updated_at", version).select(COLUMNS).maybeSingle(),
          read: () => table().select(COLUMNS).eq("id", id).maybeSingle(),
        });
      } else {
        const { error } = await table().insert({ id, memory_id: memoryId, ...words });
        const again = error?.code === "23505" ? await table().update(words).eq("id", id) : { error };
        if (again.error) throw new Error(failure, { cause: again.error });
      }
      await refresh(cache, entriesQuery(client, memoryId).queryKey);
    },
    onSuccess: onSaved,
  });
}
