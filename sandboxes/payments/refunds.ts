import { ApiError, objectOf } from "./api-error.ts";
import type { FormObject } from "./form-body.ts";
import { type Charge, type Dispute, newId, type PaymentIntent, type Refund, seconds } from "./objects.ts";
import type { Webhooks } from "./webhooks.ts";

interface Paid {
  webhooks: Webhooks;
  intents: Map<string, PaymentIntent>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  /** The delivery of a payment's webhooks, by its test card. */
  deliveryOf(intent: string | null): string | undefined;
}

/** Implements refunds by the seller, and disputes by a bank. */
export function createRefunds({ webhooks, intents, charges, refunds, disputes, deliveryOf }: Paid) {
  return {
    refund(paymentIntent: string, requested?: number, metadata: FormObject = {}): Refund {
      const intent = objectOf(intents, paymentIntent, "payment_intent");
      const charge = objectOf(charges, intent.latest_charge ?? "", "charge");
      const amount = requested ?? charge.amount - charge.amount_refunded;
      if (amount <= 0 || charge.amount_refunded + amount > charge.amount) {
        throw new ApiError(
          "Refund amount is greater than unrefunded amount on charge",
          "amount",
          "charge_already_refunded",
        );
      }
      const refund: Refund = {
        id: newId("re"),
        object: "refund",
        amount,
        currency: charge.currency,
        charge: charge.id,
        payment_intent: intent.id,
        status: "succeeded",
        reason: "requested_by_customer",
        metadata,
        created: seconds(),
      };
      refunds.set(refund.id, refund);
      charge.amount_refunded += amount;
      charge.refunded = charge.amount_refunded === charge.amount;
      webhooks.emit(
        [
          ["refund.created", refund],
          ["charge.refunded", charge],
        ],
        deliveryOf(intent.id),
      );
      return refund;
    },

    dispute(paymentIntent: string): Dispute {
      const intent = objectOf(intents, paymentIntent, "payment_intent");
      const charge = objectOf(charges, intent.latest_charge ?? "", "charge");
      if (charge.disputed) throw new ApiError("This charge is disputed already.");
      const dispute: Dispute = {
        id: newId("du"),
        object: "dispute",
        amount: charge.amount - charge.amount_refunded,
        currency: charge.currency,
        charge: charge.id,
        payment_intent: intent.id,
        status: "needs_response",
        reason: "fraudulent",
        created: seconds(),
      };
      disputes.set(dispute.id, dispute);
      charge.disputed = true;
      webhooks.emit([["charge.dispute.created", dispute]], deliveryOf(intent.id));
      return dispute;
    },

    closeDispute(id: string, status: "won" | "lost"): Dispute {
      const dispute = objectOf(disputes, id, "dispute");
      dispute.status = status;
      webhooks.emit([["charge.dispute.closed", dispute]], deliveryOf(dispute.payment_intent));
      return dispute;
    },
  };
}
