import type { Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { singleRowQuery, useSaveSingleRow } from "../single-row.ts";

/** An order of service, as it is stored. */
export type StoredService = Omit<Row<"memory_services">, "memory_id">;
export type ServiceItem = StoredService["items"][number];

const COLUMNS = "heading,closing,items,revision" as const;
const NO_SERVICE: StoredService = { heading: null, closing: "", items: [], revision: 0 };

const serviceOf = (client: SupabaseClient, memoryId: string) => {
  const table = () => client.from("memory_services");
  return {
    queryKey: queryKeys.service(memoryId),
    nothing: NO_SERVICE,
    read: (signal: AbortSignal) =>
      table().select(COLUMNS).eq("memory_id", memoryId).abortSignal(signal).maybeSingle<StoredService>(),
    insert: (values: Partial<StoredService>) =>
      table()
        .insert({ memory_id: memoryId, ...values })
        .select(COLUMNS)
        .single<StoredService>(),
    update: (values: Partial<StoredService>) =>
      table().update(values).eq("memory_id", memoryId).select(COLUMNS).maybeSingle<StoredService>(),
    failures: { load: "Failed to load the order of service", save: "Failed to save the order of service" },
  };
};

/** A memory's order of service. */
export const serviceQuery = (client: SupabaseClient, memoryId: string) => singleRowQuery(serviceOf(client, memoryId));

/** Saves an order of service. Rejects with `EditConflict` if somebody else changed the same fields since. */
export const useSaveService = (client: SupabaseClient, memoryId: string) =>
  useSaveSingleRow(serviceOf(client, memoryId));
