import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { CartWish } from "../data/cart-item.ts";
import { rememberPendingItems } from "../data/pending-cart.ts";
import { queryKeys } from "../data/query-keys.ts";
import { refresh } from "../lib/request/refresh.ts";
import { rememberRedirect } from "../lib/session/redirect-url.ts";
import { currentSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";

/**
 * Returns a mutation that adds items to the signed-in person's cart. For a visitor it stores the items, opens the
 * sign-in page and resolves to false; the items are added after the sign-in. A second plan replaces the first.
 */
export function useAddToCart() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (wishes: readonly CartWish[]): Promise<boolean> => {
      const session = currentSession.get();
      if (session.state !== "signed in") {
        rememberPendingItems(wishes);
        rememberRedirect(paths.cart());
        await navigate(paths.login());
        return false;
      }
      const [{ supabase }, { addToCart }] = await Promise.all([
        import("../lib/request/supabase.ts"),
        import("../data/cart.queries.ts"),
      ]);
      await addToCart(supabase, session.user.id, wishes);
      await refresh(cache, queryKeys.cart(session.user.id));
      return true;
    },
  });
}
