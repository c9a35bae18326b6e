import { Impossible, known } from "./impossible.ts";
import type { News } from "./news.ts";
import { type Charge, type Dispute, newId, type PaymentIntent, type Refund, seconds } from "./objects.ts";

interface Paid {
  news: News;
  intents: Map<string, PaymentIntent>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  /** How the news of a payment travels. */
  newsOf(intent: string | null): string | undefined;
}

/** How money goes back: given by the seller, or asked for by a bank. */
export function moneyBack({ news, intents, charges, refunds, disputes, newsOf }: Paid) {
  return {
    refund(paymentIntent: string, asked?: number): Refund {
      const intent = known(intents, paymentIntent, "payment_intent");
      const charge = known(charges, intent.latest_charge ?? "", "charge");
      const amount = asked ?? charge.amount - charge.amount_refunded;
      if (amount <= 0 || charge.amount_refunded + amount > charge.amount) {
        throw new Impossible(
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
        created: seconds(),
      };
      refunds.set(refund.id, refund);
      charge.amount_refunded += amount;
      charge.refunded = charge.amount_refunded === charge.amount;
      news.tell(
        [
          ["refund.created", refund],
          ["charge.refunded", charge],
        ],
        newsOf(intent.id),
      );
      return refund;
    },

    dispute(paymentIntent: string): Dispute {
      const intent = known(intents, paymentIntent, "payment_intent");
      const charge = known(charges, intent.latest_charge ?? "", "charge");
      if (charge.disputed) throw new Impossible("This charge is disputed already.");
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
      news.tell([["charge.dispute.created", dispute]], newsOf(intent.id));
      return dispute;
    },

    closeDispute(id: string, status: "won" | "lost"): Dispute {
      const dispute = known(disputes, id, "dispute");
      dispute.status = status;
      news.tell([["charge.dispute.closed", dispute]], newsOf(dispute.payment_intent));
      return dispute;
    },
  };
}
