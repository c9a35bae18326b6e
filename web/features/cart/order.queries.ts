import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys, refresh } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";

/** An order as its buyer sees it; money in pence or cents. */
export type OwnOrder = Pick<Row<"orders">, "id" | "number" | "status" | "currency" | "total" | "email"> & {
  order_items: Pick<Row<"order_items">, "id" | "kind" | "quantity" | "terms">[];
};

const EVERY_MS = 3000;
/** How long the order is asked after before the page says that it takes longer. */
export const PATIENCE_MS = 60_000;

/** One order of one's own, or null where there is none of that id; asked after while its payment is on the way. */
export const orderQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.order(id),
    queryFn: async ({ signal }): Promise<OwnOrder | null> =>
      client
        .from("orders")
        .select("id, number, status, currency, total, email, order_items(id, kind, quantity, terms)")
        .eq("id", id)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the order")),
    // Beside what is told: a lost connection tells nothing.
    refetchInterval: ({ state }) =>
      state.data?.status === "pending" && state.dataUpdateCount * EVERY_MS < PATIENCE_MS ? EVERY_MS : false,
  });

/** Shows an order as it becomes what the payment makes of it. */
export function useOrderLive(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "UPDATE", table: "orders", filter: `id=eq.${id}` }], () => {
    void refresh(cache, orderQuery(client, id).queryKey);
    // What was bought counts at once, and what was paid has left the cart.
    void refresh(cache, queryKeys.subscription());
    void refresh(cache, queryKeys.cart());
  });
}
