import { ApiError } from "./api-error.ts";
import { type TestCardBehaviour, testCardOf } from "./cards.ts";
import { type Address, type Charge, newId, type PaymentIntent, type Session, seconds } from "./objects.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Payer {
  number: string;
  name: string;
  phone?: string | undefined;
  address?: Address | undefined;
}

/** A payment that waits for the buyer's confirmation to the bank. */
export interface Challenge {
  payer: Payer;
  card: TestCardBehaviour;
  intent: PaymentIntent;
  /** The vendor's code for its failure. */
  refusal?: string;
}

interface AttemptsSettings {
  webhooks: Webhooks;
  pageUrl: () => string;
  current: (id: string) => Session;
  sessions: ReadonlyMap<string, Session>;
  intents: Map<string, PaymentIntent>;
  charges: Map<string, Charge>;
  cardsByIntent: Map<string, TestCardBehaviour>;
}

/** The vendor's code for a payment that needs the buyer's confirmation to the bank (3-D Secure). */
export const AUTHENTICATION_REQUIRED = "authentication_required";
const AUTHENTICATION_FAILED = "payment_intent_authentication_failure";

const isOpen = (challenge?: Challenge): challenge is Challenge =>
  challenge !== undefined && challenge.refusal === undefined;

/** The attempts to pay sessions, with the answers of the cards' banks. */
export function createAttempts({ webhooks, current, intents, charges, cardsByIntent, ...settings }: AttemptsSettings) {
  const challenges = new Map<string, Challenge>();

  function succeed(intent: PaymentIntent): Charge {
    const charge: Charge = {
      id: newId("ch"),
      object: "charge",
      amount: intent.amount,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      paid: true,
      currency: intent.currency,
      payment_intent: intent.id,
      receipt_url: null,
      status: "succeeded",
      created: seconds(),
    };
    charge.receipt_url = `${settings.pageUrl()}/receipt/${charge.id}`;
    charges.set(charge.id, charge);
    Object.assign(intent, { status: "succeeded", amount_received: intent.amount, latest_charge: charge.id });
    return charge;
  }

  function complete(session: Session, { name, phone, address }: Omit<Payer, "number">) {
    session.status = "complete";
    session.url = null;
    session.customer_details = { email: session.customer_email, phone: phone ?? null, name };
    session.collected_information = { shipping_details: address ? { name, address } : null };
  }

  function fail(intent: PaymentIntent, error: { code: string; decline_code?: string }): string {
    const reason = error.decline_code ?? error.code;
    intent.status = "requires_payment_method";
    intent.last_payment_error = { ...error, message: reason };
    webhooks.emit([["payment_intent.payment_failed", intent]]);
    return reason;
  }

  function charge(session: Session, { payer, card, intent }: Challenge) {
    complete(session, payer);
    intent.last_payment_error = null;
    if (card.pays === "at once") {
      const newCharge = succeed(intent);
      session.payment_status = "paid";
      webhooks.emit(
        [
          ["payment_intent.succeeded", intent],
          ["charge.succeeded", newCharge],
          ["checkout.session.completed", session],
        ],
        card.delivery,
      );
    } else {
      intent.status = "processing";
      webhooks.emit([["checkout.session.completed", session]], card.delivery);
    }
  }

  return {
    /**
     * Pays a session; returns the vendor's code if the payment is refused, or {@link AUTHENTICATION_REQUIRED} if the
     * buyer has to confirm it first.
     */
    pay(id: string, payer: Payer): string | undefined {
      const session = current(id);
      if (session.status !== "open") throw new ApiError("This page is closed.");
      const card = testCardOf(payer.number);
      if (!card) return "incorrect_number";
      const intent: PaymentIntent = {
        id: session.payment_intent ?? newId("pi"),
        object: "payment_intent",
        amount: session.amount_total,
        amount_received: 0,
        currency: session.currency,
        status: "requires_payment_method",
        latest_charge: null,
        metadata: session.metadata,
        created: seconds(),
        last_payment_error: null,
      };
      intents.set(intent.id, intent);
      session.payment_intent = intent.id;
      cardsByIntent.set(intent.id, card);
      // Another card replaces an attempt that was not confirmed.
      challenges.delete(id);
      if (card.decline) return fail(intent, { code: "card_declined", decline_code: card.decline });
      if (card.challenge) {
        intent.status = "requires_action";
        challenges.set(id, { payer, card, intent });
        webhooks.emit([["payment_intent.requires_action", intent]]);
        return AUTHENTICATION_REQUIRED;
      }
      charge(session, { payer, card, intent });
      return undefined;
    },

    /** Whether a session waits for the buyer's confirmation. */
    needsConfirmation: (id: string) => current(id).status === "open" && isOpen(challenges.get(id)),

    /** A session's last challenge if it failed, so that its page can say so. */
    failedChallenge(id: string): Readonly<Challenge> | undefined {
      const challenge = challenges.get(id);
      return challenge?.refusal ? challenge : undefined;
    },

    /** Answers the bank's challenge; returns the vendor's code if the payment fails. */
    answerChallenge(id: string, isConfirmed: boolean): string | undefined {
      const session = current(id);
      const challenge = challenges.get(id);
      if (session.status !== "open" || !isOpen(challenge)) throw new ApiError("There is no payment to confirm.");
      if (!isConfirmed || challenge.card.challenge === "fails") {
        challenge.refusal = fail(challenge.intent, { code: AUTHENTICATION_FAILED });
        return challenge.refusal;
      }
      charge(session, challenge);
      return undefined;
    },

    /** Completes a session without an amount to pay. */
    finishFree(id: string, payer: Omit<Payer, "number">) {
      const session = current(id);
      if (session.status !== "open" || session.amount_total > 0) throw new ApiError("This page is closed.");
      complete(session, payer);
      webhooks.emit([["checkout.session.completed", session]]);
    },

    /** Completes the payments of slow banks, and sends the delayed webhooks. */
    release() {
      for (const session of settings.sessions.values()) {
        const intent = intents.get(session.payment_intent ?? "");
        if (intent?.status !== "processing") continue;
        if (cardsByIntent.get(intent.id)?.pays === "fails later") {
          intent.status = "requires_payment_method";
          webhooks.emit([["checkout.session.async_payment_failed", session]]);
        } else {
          succeed(intent);
          session.payment_status = "paid";
          webhooks.emit([["checkout.session.async_payment_succeeded", session]]);
        }
      }
      webhooks.release();
    },
  };
}
