import { RequestError } from "../../shared/request-error.ts";
import { applyPaymentEvent, type PaymentDeps } from "../orders/apply-payment.ts";
import type { ServerFunction } from "./mount.ts";

/**
 * POST /functions/v1/payment-webhook: receives an event of the payment provider. Only the payment's id is used, and
 * only if the provider signed the body. The response is sent once the result would survive a crash.
 */
export const paymentWebhook =
  (deps: PaymentDeps): ServerFunction =>
  async (request) => {
    const event = await deps.payments.readEvent(await request.text(), request.headers.get("stripe-signature") ?? "");
    if (!event) throw new RequestError("bad_signature");
    await applyPaymentEvent(deps, event);
    return Response.json({ received: true }, { headers: { "cache-control": "no-store" } });
  };
