import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Memory, type MemoryChanges, type MemoryWithCover, memoryQuery } from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { changedFields, saveOver } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { refresh } from "../../lib/request/refresh.ts";

/**
 * Saves a memory's words and dates over the revision on which they are based, with an optimistic update. Resolves to the
 * stored row. Rejects with `EditConflict` if somebody else changed the same fields since editing began.
 */
export function useSaveMemoryOver(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  const { queryKey } = memoryQuery(client, id);
  const table = () => client.from("memories");
  return useMutation({
    mutationFn: ({ base, changes }: { base: Memory; changes: MemoryChanges }) =>
      saveOver<Memory>(base, changes, {
        failure: "Failed to save memory",
        write: (changed) => table().update(changed).eq("id", id).select().maybeSingle(),
        read: () => table().select().eq("id", id).maybeSingle(),
      }),
    ...optimisticUpdate(cache, {
      queryKey,
      change: (memory: MemoryWithCover, { base, changes }: { base: Memory; changes: MemoryChanges }) => ({
        ...memory,
        ...changedFields(base, changes),
      }),
      readAgain: () => refresh(cache, queryKey, queryKeys.memories()),
    }),
  });
}
