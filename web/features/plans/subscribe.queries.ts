import type { CartWish } from "../../data/cart-item.ts";
import { CheckoutRefusal } from "../../data/checkout-refusals.ts";
import { referralForCheckout } from "../../data/referral.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** Adds plans to the cart and creates a payment page; resolves to its URL. Rejects with an error of Spec §5 or §8. */
export async function createSubscription(
  client: SupabaseClient,
  wishes: readonly CartWish[],
  voucherCode: string | undefined,
): Promise<string> {
  const { data } = await client.auth.getSession();
  const user = data.session?.user;
  if (!user) throw new Error("User not authenticated");
  const added = await client
    .from("cart_items")
    .insert(wishes.map((item) => ({ ...item, user_id: user.id })))
    .select("id, plan_id, product_id, quantity, additional_cards, currency");
  if (added.error) {
    const { message: reason, hint } = added.error;
    throw new CheckoutRefusal(`Failed to create checkout session: ${reason}`, hint ?? undefined, {
      cause: added.error,
      reason,
    });
  }
  const begun = await client.functions.invoke<{ session_url?: string }>("create-checkout-session", {
    body: {
      items: added.data,
      ...(voucherCode === undefined ? {} : { voucher_code: voucherCode }),
      ...referralForCheckout(),
    },
  });
  if (begun.error) {
    const { message: reason, code } = await reasonOf(begun.error);
    throw new CheckoutRefusal(`Failed to create checkout session: ${reason}`, code, { cause: begun.error, reason });
  }
  if (!begun.data?.session_url) throw new Error("No checkout session URL returned");
  return begun.data.session_url;
}

/** Returns the message and code of the function's response or, without a response, the error's message. */
async function reasonOf(error: Error & { context?: unknown }): Promise<{ message: string; code?: string | undefined }> {
  const body = error.context instanceof Response ? await error.context.json().catch(() => null) : null;
  const { message, code }: { message?: unknown; code?: unknown } = body ?? {};
  return {
    message: typeof message === "string" ? message : error.message,
    code: typeof code === "string" ? code : undefined,
  };
}
