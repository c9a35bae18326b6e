import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "../../../data/refreshing.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { callAsStaff } from "../staff-call.ts";

/** An order in the list. */
export type DeskOrderRow = Pick<
  Row<"orders">,
  "id" | "number" | "email" | "status" | "currency" | "total" | "refunded" | "created_at"
>;

export type DeskRefund = Pick<Row<"refunds">, "id" | "amount" | "reason" | "state" | "created_at">;

/** An order with everything that the desk shows of it. */
export type DeskOrder = Row<"orders"> & {
  order_items: Pick<Row<"order_items">, "id" | "kind" | "quantity" | "unit_amount" | "terms">[];
  metal_cards: Pick<
    Row<"metal_cards">,
    "id" | "code" | "name" | "making" | "engraved_at" | "sent_at" | "returned_at"
  >[];
  /** Empty if the reader may not see refunds. */
  refunds: DeskRefund[];
};

export type OrderEvent = Returned<"order_events">[number];

/** The list's filter; "" for all. */
export interface OrderChoices {
  status: string;
  currency: string;
  /** Days, as 2026-11-22. */
  from: string;
  until: string;
}

const PAGE = 50;
const NEWEST_FIRST: PageOrder<Pick<DeskOrderRow, "created_at" | "id">> = [
  ["created_at", "down"],
  ["id", "up"],
];
const FIRST_YEAR = 2024;
const AFTER_ALL = "\u{10fffd}";

/** Interprets a search: a complete order number, its last digits in any year, or the beginning of an email address. */
function searchFor(find: string): { numbers: string[] } | { email: string } {
  if (/^sk-/i.test(find)) return { numbers: [find.toUpperCase()] };
  if (!/^\d{1,12}$/.test(find)) return { email: find.toLowerCase() };
  const years = Array.from({ length: new Date().getFullYear() + 1 - FIRST_YEAR }, (_, index) => FIRST_YEAR + index);
  return { numbers: years.map((year) => `SK-${year}-${find.padStart(6, "0")}`) };
}

/** All orders, newest first, in pages. */
export const deskOrdersQuery = (
  client: SupabaseClient,
  find: string,
  { status, currency, from, until }: OrderChoices,
) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskOrders("list", { find, status, currency, from, until }),
    queryFn: async ({ pageParam, signal }): Promise<DeskOrderRow[]> => {
      let query = client.from("orders").select("id, number, email, status, currency, total, refunded, created_at");
      if (status) query = query.eq("status", status as DeskOrderRow["status"]);
      if (currency) query = query.eq("currency", currency as DeskOrderRow["currency"]);
      if (from) query = query.gte("created_at", from);
      if (until) query = query.lt("created_at", `${until}T24:00:00`);
      const search = find ? searchFor(find) : undefined;
      if (search && "numbers" in search) query = query.in("number", search.numbers);
      if (search && "email" in search)
        query = query.gte("email_key", search.email).lt("email_key", search.email + AFTER_ALL);
      return inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load orders"));
    },
    initialPageParam: undefined as Pick<DeskOrderRow, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    // Keeps rows and focus while the search changes.
    placeholderData: keepPreviousData,
  });

/** One order; null for an unknown id. */
export const deskOrderQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.deskOrders("one", id),
    queryFn: async ({ signal }): Promise<DeskOrder | null> => {
      const { data, error } = await client
        .from("orders")
        .select(
          `*, order_items(id, kind, quantity, unit_amount, terms),
           metal_cards(id, code, name, making, engraved_at, sent_at, returned_at), refunds(id, amount, reason, state, created_at)`,
        )
        .eq("id", id)
        .order("position", { referencedTable: "order_items" })
        .order("created_at", { referencedTable: "refunds" })
        .abortSignal(signal)
        .maybeSingle();
      // A malformed id matches no order.
      if (error?.code === "22P02") return null;
      if (error) throw new Error("Failed to load the order", { cause: error });
      return data;
    },
  });

/** Events of an order that are not in its rows, e.g. sent emails. */
export const orderEventsQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.deskOrders("events", id),
    queryFn: async ({ signal }): Promise<OrderEvent[]> =>
      client.rpc("order_events", { order_id: id }).abortSignal(signal).then(unwrap("Failed to load the order")),
  });

/** Shows changes of an order live. */
export const useDeskOrderLive = (client: SupabaseClient, id: string) =>
  useRefreshedData(
    client,
    [
      { event: "UPDATE", table: "orders", filter: `id=eq.${id}` },
      { event: "*", table: "metal_cards", filter: `order_id=eq.${id}` },
    ],
    [queryKeys.deskOrders("one", id), queryKeys.deskOrders("events", id)],
  );

interface WantedRefund {
  amount: number;
  reason: string;
  /** The refund's idempotency key. */
  request: string;
}

/** Refunds an order. The provider's webhook then updates it. */
export const useRefund = (order: string) =>
  useRefreshingMutation([queryKeys.deskOrders()], (refund: WantedRefund) =>
    callAsStaff<{ amount: number }>("refund-order", { order, ...refund }),
  );

export function useResendReceipt(order: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => callAsStaff<{ sent: true }>("resend-receipt", { order }),
    onSuccess: () => refresh(cache, queryKeys.deskOrders("events", order)),
  });
}
