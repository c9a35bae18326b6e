import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { addToCart, cartQuery } from "../../data/cart.queries.ts";
import type { CartItem, CartWish } from "../../data/cart-item.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { toast } from "../../ui/toasts.tsx";

/** Removes a line at once, with an undo in the toast that restores its position. */
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
      await client.from("cart_items").delete().eq("id", id).eq("user_id", userId).then(unwrap("Failed to remove item"));
    },
    ...optimisticUpdate(cache, {
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
              .finally(() => refresh(cache, queryKey)),
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
