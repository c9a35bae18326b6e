import { z } from "zod";
import { CHECKOUT, countCheckout, pageFor, Referral } from "./checkout-request.ts";
import { endpoint } from "./endpoint.ts";
import { readBody } from "./request-body.ts";

const Body = z.object({ items: z.unknown().optional(), voucher_code: z.string().max(100).nullish(), ...Referral });

/**
 * POST /functions/v1/create-checkout-session: takes the `items` of a cart. Responds with `{ session_url, order_id }`.
 */
export const createCheckoutSession = endpoint(CHECKOUT, async (input) => {
  const { limits, site, person, request, address } = input;
  await countCheckout(limits, person);
  const { items, voucher_code, ...referral } = await readBody(request, Body);
  // The return address is the request's origin, if it is allowed.
  const from = request.headers.get("origin") ?? site;
  const { orderId, url } = await pageFor(input, person, {
    address,
    origin: new URL(request.url).origin,
    items,
    voucherCode: voucher_code ?? undefined,
    successUrl: `${from}/success`,
    cancelUrl: `${from}/cart`,
    referral,
  });
  return { session_url: url, order_id: orderId };
});
