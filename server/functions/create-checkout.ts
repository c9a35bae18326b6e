import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { buyerOf, type CheckoutDeps, pageFor, Referral } from "./checkout-request.ts";
import type { ServerFunction } from "./mount.ts";
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
export const createCheckout =
  (deps: CheckoutDeps): ServerFunction =>
  async (request, { address }) => {
    const person = await buyerOf(deps, request);
    if (request.headers.get("x-user-id") !== person.id) {
      throw new RequestError("user_mismatch");
    }
    const { items, voucher_code, success_url, cancel_url, ...referral } = await readBody(request, Body);
    const { orderId, url } = await pageFor(deps, person, {
      address,
      origin: new URL(request.url).origin,
      items,
      voucherCode: voucher_code ?? undefined,
      successUrl: success_url ?? `${deps.site}/success`,
      cancelUrl: cancel_url ?? `${deps.site}/cart`,
      referral,
    });
    return Response.json({ url, session_url: url, order_id: orderId }, { headers: { "cache-control": "no-store" } });
  };
