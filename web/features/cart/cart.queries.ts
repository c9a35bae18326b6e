import "../../i18n/words/cart.ts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { SupabaseClient } from "../../lib/database-client.ts";
import { rememberRedirect } from "../../lib/redirect-url.ts";
import { currentSession } from "../../lib/session.ts";
import { shownAtOnce } from "../../lib/shown-at-once.ts";
import { useRowChanges } from "../../lib/use-row-changes.ts";
import { paths } from "../../paths.ts";
import { toast } from "../../ui/toasts.tsx";
import type { CartItem, CartWish } from "./cart-item.ts";
import { rememberWanted } from "./wanted.ts";

export type { CartItem, CartWish } from "./cart-item.ts";

const COLUMNS = "id,plan_id,product_id,quantity,additional_cards,currency,price,item,created_at";

/** Everything in a person's cart, newest first. */
export const cartQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: ["cart", userId],
    queryFn: async ({ signal }): Promise<CartItem[]> => {
      const { data, error } = await client
        .from("cart_items")
        .select(COLUMNS)
        .eq("user_id", userId)
        .order("created_at", { ascending: false })
        .order("id")
        .abortSignal(signal);
      if (error) throw new Error("Failed to load cart items", { cause: error });
      return data;
    },
  });

/** The signed-in person's cart. */
export const useCart = (client: SupabaseClient, userId: string) => useQuery(cartQuery(client, userId));

/** Keeps the cart as it is, whichever tab or device changes it (Spec §4). */
export function useCartLive(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  useRowChanges(
    client,
    [{ event: "*", table: "cart_items", filter: `user_id=eq.${userId}` }],
    () => void cache.invalidateQueries({ queryKey: cartQuery(client, userId).queryKey }),
  );
}

/** Adds rows, each with `user_id` (Spec §7); prices are the server's. Rejects with 'Failed to add to cart'. */
export async function addToCart(client: SupabaseClient, userId: string, wishes: readonly CartWish[]): Promise<void> {
  const { error } = await client.from("cart_items").insert(wishes.map((wish) => ({ ...wish, user_id: userId })));
  if (error) throw new Error("Failed to add to cart", { cause: error });
}

/**
 * Puts things into the cart of whoever is signed in. A visitor is led to the sign-in, and finds them in the cart
 * afterwards: then it resolves to false. A second plan takes the place of the first.
 */
export function useAddToCart() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (wishes: readonly CartWish[]): Promise<boolean> => {
      const session = currentSession();
      if (session.state !== "signed in") {
        rememberWanted(wishes);
        rememberRedirect(paths.cart());
        await navigate(paths.login());
        return false;
      }
      const { supabase } = await import("../../lib/supabase.ts");
      await addToCart(supabase, session.user.id, wishes);
      await cache.invalidateQueries({ queryKey: ["cart", session.user.id] });
      return true;
    },
  });
}

type ItemChange = Pick<CartItem, "id"> & Partial<CartItem>;

/** Changes how many there are of a line, or in which currency it is priced; the page shows it at once. */
export function useChangeCartItem(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  const { queryKey } = cartQuery(client, userId);
  return useMutation({
    mutationFn: async ({ id, ...change }: ItemChange) => {
      const { error } = await client.from("cart_items").update(change).eq("id", id).eq("user_id", userId);
      if (error) throw new Error("Failed to change item", { cause: error });
    },
    ...shownAtOnce(cache, {
      queryKey,
      change: (items: CartItem[], change: ItemChange) =>
        items.map((item) => (item.id === change.id ? { ...item, ...change } : item)),
    }),
  });
}

/** Prices everything in another currency. */
export function useChangeCurrency(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (currency: "GBP" | "EUR") => {
      const { error } = await client.from("cart_items").update({ currency }).eq("user_id", userId);
      if (error) throw new Error("Failed to change item", { cause: error });
      await cache.invalidateQueries({ queryKey: cartQuery(client, userId).queryKey });
    },
  });
}

/** Removes a line at once, with a way back for as long as the toast is there: it comes back where it was. */
export function useRemoveFromCart(client: SupabaseClient, userId: string) {
  const { t } = useTranslation("cart");
  const cache = useQueryClient();
  const { queryKey } = cartQuery(client, userId);
  const failed = useCallback(
    () => toast({ title: t("removeFailed"), description: t("unchanged"), tone: "problem" }),
    [t],
  );
  const remove = useMutation({
    mutationFn: async ({ id }: CartItem) => {
      const { error } = await client.from("cart_items").delete().eq("id", id).eq("user_id", userId);
      if (error) throw new Error("Failed to remove item", { cause: error });
    },
    ...shownAtOnce(cache, {
      queryKey,
      change: (items: CartItem[], { id }: CartItem) => items.filter((item) => item.id !== id),
    }),
    onError: failed,
    onSuccess: (_nothing, item) =>
      toast({
        title: t("removed"),
        action: {
          label: t("undo"),
          onSelect: () =>
            void addToCart(client, userId, [withoutPrice(item)])
              .catch(() => toast({ title: t("undoFailed"), tone: "problem" }))
              .finally(() => cache.invalidateQueries({ queryKey })),
        },
      }),
  });
  return (item: CartItem) => remove.mutate(item);
}

const withoutPrice = ({ price: _server, plan_id, product_id, ...item }: CartItem): CartWish => ({
  ...item,
  ...(plan_id === null ? {} : { plan_id }),
  ...(product_id === null ? {} : { product_id }),
});
