import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { freshByPages, inPages, lastOf, type PageOrder } from "../../lib/request/in-pages.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** A line of an order with the terms at the time of sale. Amounts are in pence or cents. */
export type OrderLine = Pick<Row<"order_items">, "id" | "kind" | "quantity" | "unit_amount" | "terms">;

/** An order, for its buyer. Amounts are in pence or cents. `tax` is part of `total`. */
export type OrderRow = Pick<
  Row<"orders">,
  | "id"
  | "number"
  | "status"
  | "currency"
  | "subtotal"
  | "discount"
  | "total"
  | "tax"
  | "refunded"
  | "voucher_code"
  | "session_url"
  | "expires_at"
  | "created_at"
  | "paid_at"
> & { order_items: OrderLine[] };

export type OrderedCard = Pick<
  Row<"card_deliveries">,
  "card_id" | "address" | "carrier" | "tracking_number" | "tracking_url"
> & {
  /** Null if another person has claimed the card. */
  card: Pick<Row<"metal_cards">, "making"> | null;
};

const LINES = "order_items(id, kind, quantity, unit_amount, terms)";
const MONEY = "currency, subtotal, discount, total, tax, refunded";
const COLUMNS =
  `id, number, status, ${MONEY}, voucher_code, session_url, expires_at, created_at, paid_at, ${LINES}` as const;

const PAGE = 20;
const NEWEST_FIRST: PageOrder<Pick<OrderRow, "created_at" | "id">> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** A person's orders in pages, newest first. */
export const ordersQuery = (client: SupabaseClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.orders(userId),
    queryFn: async ({ pageParam, signal }): Promise<OrderRow[]> => {
      const query = client.from("orders").select(COLUMNS).eq("user_id", userId);
      return await inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .order("position", { referencedTable: "order_items" })
        .abortSignal(signal)
        .then(unwrap("Failed to load orders"));
    },
    initialPageParam: undefined as Pick<OrderRow, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    staleTime: freshByPages,
  });

/** One of a person's orders; null for an unknown id. */
export const orderQuery = (client: SupabaseClient, userId: string, orderId: string) =>
  queryOptions({
    queryKey: queryKeys.orders("one", userId, orderId),
    queryFn: async ({ signal }): Promise<OrderRow | null> => {
      const data = await client
        .from("orders")
        .select(COLUMNS)
        .eq("user_id", userId)
        .eq("id", orderId)
        .order("position", { referencedTable: "order_items" })
        .abortSignal(signal)
        .then(unwrap("Failed to load orders"));
      return data[0] ?? null;
    },
  });

/** The cards of an order with their state and address. */
export const orderedCardsQuery = (client: SupabaseClient, orderId: string) =>
  queryOptions({
    queryKey: queryKeys.orders("cards", orderId),
    queryFn: async ({ signal }): Promise<OrderedCard[]> =>
      client
        .from("card_deliveries")
        .select("card_id, address, carrier, tracking_number, tracking_url, card:metal_cards(making)")
        .eq("order_id", orderId)
        .order("card_id")
        .abortSignal(signal)
        .then(unwrap("Failed to load cards")),
  });

/** Reloads orders and their cards when they change. */
export function useOrdersLive(client: SupabaseClient, userId: string) {
  const filter = `user_id=eq.${userId}`;
  useRefreshedData(
    client,
    [
      { event: "*", table: "orders", filter },
      { event: "*", table: "metal_cards", filter },
    ],
    [queryKeys.orders()],
  );
}
