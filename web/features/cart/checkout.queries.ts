import { useMutation } from "@tanstack/react-query";
import type { Currency } from "../../../shared/money.ts";
import type { CartItem } from "../../data/cart-item.ts";
import { CheckoutRefusal } from "../../data/checkout-refusals.ts";
import { referralForCheckout } from "../../data/referral.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { requestAsUser } from "../../lib/request/supabase.ts";

interface Wanted {
  items: readonly CartItem[];
  currency: Currency;
  voucherCode: string | undefined;
}

/**
 * Makes the page where a cart is paid, in the currency in which its buyer has read the prices; resolves to its address.
 * Rejects as Spec §5 and §8 word it.
 */
export async function createCheckout(
  client: SupabaseClient,
  { items, currency, voucherCode }: Wanted,
): Promise<string> {
  if (items.length === 0) throw new CheckoutRefusal("Cart is empty", "cart_empty");
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("User not authenticated");
  // Spec §7: of the site's own host, whichever host keeps the data.
  const reply = await requestAsUser("/.netlify/functions/create-checkout", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${data.session.access_token}`,
      "x-user-id": data.session.user.id,
    },
    body: JSON.stringify({
      // The rows may still be priced in another currency, as when somebody has just changed the language.
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

/** Begins to pay: once the page stands, the browser goes there (Spec §4). */
export const useCheckout = (client: SupabaseClient) =>
  useMutation({
    mutationFn: (wanted: Wanted) => createCheckout(client, wanted),
    onSuccess: (address) => location.assign(address),
  });
