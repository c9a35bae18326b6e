import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import { endpoint } from "./endpoint.ts";

const RefundOrder = z.object({
  /** The order's number or id. */
  order: z.string().trim().min(1).max(64),
  /** In pence or cents; without it, the whole remaining amount. */
  amount: z.number().int().positive().max(2_000_000_000).optional(),
  reason: z.string().trim().min(1).max(500),
  /** The idempotency key of this refund. */
  request: z.uuid(),
});

/**
 * POST /functions/v1/refund-order: refunds an order wholly or partly through the payment provider, for administrators.
 * The provider's webhook then updates the order, its plans, cards and commission, and sends the emails.
 */
export const refundOrder = endpoint(
  { needs: "payments", caller: "staff", body: RefundOrder },
  async ({ db, payments, caller, body }) => {
    // Stored before the provider is called: after a crash the refund can be repeated.
    const refund = await asCaller(db, caller, async (tx) => {
      const { rows } = await tx.query<{ id: string; amount: number; state: string; payment_intent: string }>(
        "select * from private.begin_refund($1, $2, $3, $4)",
        [body.order, body.amount ?? null, body.reason, body.request],
      );
      return rows[0];
    });
    if (!refund || refund.state === "refused") throw new RequestError("refund_refused");
    const { id, amount, payment_intent: intent } = refund;
    const settle = (outcome: "done" | "refused", providerId: string | null) =>
      asCaller(db, caller, (tx) => tx.query("select private.settle_refund($1, $2, $3)", [id, outcome, providerId]));
    if (refund.state === "asked") {
      const answer = await payments.refund({ id, intent, amount }).catch(() => {
        throw new RequestError("provider_unknown");
      });
      if ("refused" in answer) {
        await settle("refused", null);
        throw new RequestError("refund_refused", { message: answer.refused });
      }
      await settle("done", answer.made);
    }
    return { id, amount };
  },
);
