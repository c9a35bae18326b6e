import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { saveOver } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import type { DraftInput } from "../use-draft.ts";

/** An order of service, as it is stored. */
export type StoredService = Omit<Row<"memory_services">, "memory_id">;
export type ServiceItem = StoredService["items"][number];

const COLUMNS = "heading,closing,items,revision" as const;
/** Until somebody saves one; a stored row has a higher revision. */
const NO_SERVICE: StoredService = { heading: null, closing: "", items: [], revision: 0 };

const NEVER = new AbortController().signal;
const readService = (client: SupabaseClient, memoryId: string, signal = NEVER) =>
  client.from("memory_services").select(COLUMNS).eq("memory_id", memoryId).abortSignal(signal).maybeSingle();

/** A memory's order of service. */
export const serviceQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.service(memoryId),
    queryFn: async ({ signal }): Promise<StoredService> => {
      const stored = await readService(client, memoryId, signal).then(unwrap("Failed to load the order of service"));
      return stored ?? NO_SERVICE;
    },
    // The fields begin with what is stored now, not with what another manager has changed since.
    gcTime: 0,
  });

/** Saves an order of service. Rejects with `EditConflict` if somebody else changed the same fields since. */
export function useSaveService(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = serviceQuery(client, memoryId);
  return useMutation({
    mutationFn: ({ base, next }: DraftInput<StoredService>) =>
      saveOver<StoredService>(base, next, {
        failure: "Failed to save the order of service",
        write: async ({ revision, ...changes }) => {
          const table = client.from("memory_services");
          if (revision > 0) {
            return table
              .update({ ...changes, revision })
              .eq("memory_id", memoryId)
              .select(COLUMNS)
              .maybeSingle();
          }
          const { data, error } = await table
            .insert({ memory_id: memoryId, ...changes })
            .select(COLUMNS)
            .single();
          // Somebody else saved the first one in the meantime.
          return { data, error: error?.code === "23505" ? { code: "PT409", hint: "conflict" } : error };
        },
        read: () => readService(client, memoryId),
      }),
    onSuccess: (stored) => cache.setQueryData(queryKey, stored),
  });
}
