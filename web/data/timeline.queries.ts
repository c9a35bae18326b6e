import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";
import { saveOver } from "./save-over.ts";

/** An entry of a timeline or programme. */
export type Entry = Pick<
  Row<"memory_entries">,
  "id" | "on_date" | "starts_at" | "title" | "place" | "note" | "media_id" | "created_at" | "revision"
> & {
  /** What part of the day it is; absent or null for others. */
  part?: Row<"memory_entries">["part"];
};

export type EntryText = Omit<Entry, "id" | "created_at" | "revision" | "part">;

const COLUMNS = "id,on_date,starts_at,title,place,note,media_id,created_at,revision,part" as const;

/** The entries of a tribute's timeline, without the parts of its day, or of an event's whole programme. */
export const sectionEntries = (kind: "tribute" | "event", entries: Entry[]): Entry[] =>
  kind === "event" ? entries : entries.filter(({ part }) => !part);

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
    [entriesQuery(client, memoryId).queryKey, queryKeys.day(memoryId), queryKeys.streams(memoryId)],
  );

/** A new entry, or the changes of the entry as it was when editing began. */
type EntryInput = { id: string; fields: EntryText } | { base: Entry; changes: Partial<EntryText> };

/**
 * Saves an entry with an id made by its form, so that a repeated request creates only one. Rejects with
 * `EditConflict` if somebody else changed the same fields since editing began.
 */
export function useSaveEntry(client: SupabaseClient, memoryId: string, onSaved: () => void) {
  const cache = useQueryClient();
  const failure = "Failed to save the entry";
  return useMutation({
    mutationFn: async (input: EntryInput) => {
      const table = () => client.from("memory_entries");
      if ("base" in input) {
        const { id } = input.base;
        await saveOver<Entry>(input.base, input.changes, {
          failure,
          write: (changes) => table().update(changes).eq("id", id).select(COLUMNS).maybeSingle(),
          read: () => table().select(COLUMNS).eq("id", id).maybeSingle(),
        });
      } else {
        const { id, fields } = input;
        const { error } = await table().insert({ id, memory_id: memoryId, ...fields });
        const again = error?.code === "23505" ? await table().update(fields).eq("id", id) : { error };
        if (again.error) throw new Error(failure, { cause: again.error });
      }
      await refresh(cache, entriesQuery(client, memoryId).queryKey);
    },
    onSuccess: onSaved,
  });
}
