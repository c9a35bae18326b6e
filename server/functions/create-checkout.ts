import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { CHECKOUT, countCheckout, pageFor, Referral } from "./checkout-request.ts";
import { endpoint } from "./endpoint.ts";
import { readBody } from "./request-body.ts";

const Body = z.object({
  items: z.unknown().optional(),
  voucher_code: z.string().max(100).nullish(),
  success_url: z.string().max(2048).nullish(),
  cancel_url: z.string().max(2048).nullish(),
  ...Referral,
});

/**
 * POST /.netlify/functions/create-checkout: takes `items` with their `currency`, `voucher_code`, `success_url` and
 * `cancel_url`. The header `x-user-id` must be the caller's id. Responds with `{ url, session_url, order_id }`.
 */
export const createCheckout = endpoint(CHECKOUT, async (input) => {
  const { limits, site, person, request, address } = input;
  await countCheckout(limits, person);
  if (request.headers.get("x-user-id") !== person.id) {
    throw new RequestError("user_mismatch");
  }
  const { items, voucher_code, success_url, cancel_url, ...referral } = await readBody(request, Body);
  const { orderId, url } = await pageFor(input, person, {
    address,
    origin: new URL(request.url).origin,
    items,
    voucherCode: voucher_code ?? undefined,
    successUrl: success_url ?? `${site}/success`,
    cancelUrl: cancel_url ?? `${site}/cart`,
    referral,
  });
  return { url, session_url: url, order_id: orderId };
});
