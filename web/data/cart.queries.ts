import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import type { CartItem, CartWish } from "./cart-item.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

const COLUMNS = "id,plan_id,product_id,quantity,additional_cards,currency,price,item,created_at";

/** A person's cart, newest first. */
export const cartQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.cart(userId),
    queryFn: async ({ signal }): Promise<CartItem[]> =>
      client
        .from("cart_items")
        .select(COLUMNS)
        .eq("user_id", userId)
        .order("created_at", { ascending: false })
        .order("id")
        .abortSignal(signal)
        .then(unwrap("Failed to load cart items")),
  });

export const useCart = (client: SupabaseClient, userId: string) => useQuery(cartQuery(client, userId));

/** Keeps the cart current across tabs and devices (Spec §4). */
export const useCartLive = (client: SupabaseClient, userId: string) =>
  useRefreshedData(
    client,
    [{ event: "*", table: "cart_items", filter: `user_id=eq.${userId}` }],
    [cartQuery(client, userId).queryKey],
  );

/** Adds rows, each with `user_id` (Spec §7); the server sets the prices. Rejects with 'Failed to add to cart'. */
export async function addToCart(client: SupabaseClient, userId: string, wishes: readonly CartWish[]): Promise<void> {
  await client
    .from("cart_items")
    .insert(wishes.map((item) => ({ ...item, user_id: userId })))
    .then(unwrap("Failed to add to cart"));
}

type ItemChange = Pick<CartItem, "id"> & Partial<CartItem>;

/** Changes a line's quantity or currency, with an optimistic update. */
export function useChangeCartItem(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  const { queryKey } = cartQuery(client, userId);
  return useMutation({
    mutationFn: async ({ id, ...change }: ItemChange) => {
      await client
        .from("cart_items")
        .update(change)
        .eq("id", id)
        .eq("user_id", userId)
        .then(unwrap("Failed to change item"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (items: CartItem[], change: ItemChange) =>
        items.map((item) => (item.id === change.id ? { ...item, ...change } : item)),
    }),
  });
}

/** Changes the currency of all lines. */
export function useChangeCurrency(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (currency: "GBP" | "EUR") => {
      await client.from("cart_items").update({ currency }).eq("user_id", userId).then(unwrap("Failed to change item"));
      await refresh(cache, cartQuery(client, userId).queryKey);
    },
  });
}
