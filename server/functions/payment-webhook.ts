import { RequestError } from "../../shared/request-error.ts";
import { applyPaymentEvent } from "../orders/apply-payment.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/payment-webhook: receives an event of the payment provider. Only the payment's id is used, and
 * only if the provider signed the body. The response is sent once the result would survive a crash.
 */
export const paymentWebhook = endpoint(
  { needs: "payments", caller: "unidentified" },
  async ({ db, payments, site, request }) => {
    const event = await payments.readEvent(await request.text(), request.headers.get("stripe-signature") ?? "");
    if (!event) throw new RequestError("bad_signature");
    await applyPaymentEvent({ db, payments, site }, event);
    return { received: true };
  },
);
