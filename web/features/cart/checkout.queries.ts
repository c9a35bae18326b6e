import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import type { Currency } from "../../../shared/money.ts";
import type { CartItem } from "../../data/cart-item.ts";
import { CheckoutRefusal } from "../../data/checkout-refusals.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { referralForCheckout } from "../../data/referral.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { requestAsUser } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";

interface Wanted {
  items: readonly CartItem[];
  currency: Currency;
  voucherCode: string | undefined;
}

/** Creates a cart's payment page in the shown currency; resolves to its URL. Rejects as in Spec §5 and §8. */
export async function createCheckout(
  client: SupabaseClient,
  { items, currency, voucherCode }: Wanted,
): Promise<string> {
  if (items.length === 0) throw new CheckoutRefusal("Cart is empty", "cart_empty");
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("User not authenticated");
  // Spec §7: the request goes to the site's own host, even if the data API has another host.
  const reply = await requestAsUser("/.netlify/functions/create-checkout", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${data.session.access_token}`,
      "x-user-id": data.session.user.id,
    },
    body: JSON.stringify({
      // The rows may still have another currency, e.g. right after a change of language.
      items: items.map((item) => ({ ...item, currency })),
      ...(voucherCode === undefined ? {} : { voucher_code: voucherCode }),
      ...referralForCheckout(),
      success_url: `${location.origin}/success`,
      cancel_url: `${location.origin}/cart`,
    }),
  });
  const answer = (await reply.json().catch(() => ({}))) as { url?: string; message?: string; code?: string };
  if (!reply.ok) throw new CheckoutRefusal(answer.message || "Failed to create checkout session", answer.code);
  if (!answer.url) throw new Error("No checkout session URL returned");
  return answer.url;
}

/** Creates the payment page and redirects the browser to it (Spec §4). */
export const useCheckout = (client: SupabaseClient) =>
  useMutation({
    mutationFn: (checkout: Wanted) => createCheckout(client, checkout),
    onSuccess: (address) => location.assign(address),
  });

/** An order, for its buyer; money in pence or cents. */
export type OwnOrder = Pick<Row<"orders">, "id" | "number" | "status" | "currency" | "total" | "email"> & {
  order_items: Pick<Row<"order_items">, "id" | "kind" | "plan_id" | "quantity" | "terms" | "details">[];
};

const EVERY_MS = 3000;
/** The polling time in milliseconds, after which the page shows that the payment takes longer. */
export const PATIENCE_MS = 60_000;

/** One of the person's orders, polled while its payment is pending; null for an unknown id. */
export const orderQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.order(id),
    queryFn: async ({ signal }): Promise<OwnOrder | null> =>
      client
        .from("orders")
        .select("id, number, status, currency, total, email, order_items(id, kind, plan_id, quantity, terms, details)")
        .eq("id", id)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the order")),
    // Polled in addition to realtime, which a lost connection interrupts.
    refetchInterval: ({ state }) =>
      state.data?.status === "pending" && state.dataUpdateCount * EVERY_MS < PATIENCE_MS ? EVERY_MS : false,
  });

/** Shows an order's changes live. */
export function useOrderLive(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "UPDATE", table: "orders", filter: `id=eq.${id}` }], () => {
    void refresh(cache, orderQuery(client, id).queryKey);
    // A paid order changes the plan at once, and its items are removed from the cart.
    void refresh(cache, queryKeys.subscription());
    void refresh(cache, queryKeys.cart());
  });
}
