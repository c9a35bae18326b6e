import type Stripe from "stripe";
import { z } from "zod";
import { RetryLaterError } from "../../shared/request-error.ts";

export interface PaymentSettings {
  secretKey: string;
  /** With which the provider signs its events. */
  webhookSecret: string;
  /** Instead of https://api.stripe.com. */
  baseUrl?: string;
  /** Whether the provider works out taxes, which our prices include. */
  automaticTax: boolean;
}

/** What is to be paid, on a page of the provider's. All money in pence or cents. */
export interface NewSession {
  orderId: string;
  number: string;
  email: string;
  language: "en" | "it";
  currency: "GBP" | "EUR";
  lines: { name: string; quantity: number; unitAmount: number }[];
  /** Off the whole. */
  discount: number;
  discountName: string;
  /** Whether something goes by post. */
  posted: boolean;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

/** How things are with a payment, as the provider says when it is asked. All money in pence or cents. */
export interface PaymentFacts {
  session: string;
  /** Ours, where the session was made here. */
  orderId: string | undefined;
  state: "open" | "complete" | "expired";
  /** `waiting` for a bank, `refused` by one. */
  payment: "paid" | "waiting" | "refused" | "none";
  intent: string | undefined;
  total: number;
  tax: number;
  /** Given back by us. */
  refunded: number;
  dispute: "none" | "open" | "won" | "lost";
  /** Of the open dispute, where there is one. */
  disputeId: string | undefined;
  /** Taken back by a bank, in a dispute that is lost. */
  takenBack: number;
  receiptUrl: string | undefined;
  /** As given to the provider. */
  email: string | undefined;
  delivery: Delivery | undefined;
}

const Address = z.object({
  line1: z.string().nullish(),
  line2: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  postal_code: z.string().nullish(),
  country: z.string().nullish(),
});
export interface Delivery {
  name: string;
  phone: string;
  address: z.infer<typeof Address>;
}

/** An event of the provider's: only where to look is taken from it. */
export interface PaymentEvent {
  id: string;
  type: string;
  created: Date;
  session?: string;
  intent?: string;
}

const Reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();
const EventObject = z.object({ id: z.string().optional(), object: z.string(), payment_intent: Reference });

export type Payments = ReturnType<typeof payments>;

/** Money to be given back of a payment, in pence or cents. */
interface NewRefund {
  /** Ours. */
  id: string;
  intent: string;
  amount: number;
}

/** Takes payments by the vendor's own client. */
export function payments({ secretKey, webhookSecret, baseUrl, automaticTax }: PaymentSettings) {
  const connect = async () => {
    // Loaded when first needed: it is large, and most starts of the server sell nothing.
    const { default: Client } = await import("stripe");
    return new Client(secretKey, { maxNetworkRetries: 2, timeout: 15_000, telemetry: false, ...hostOf(baseUrl) });
  };
  let client: Promise<Stripe> | undefined;
  const stripe = () => {
    client ??= connect();
    return client;
  };
  /** Runs `work`; refuses with a sentence where the provider is away, fails or wants to be asked less. */
  const reach = async <T>(work: (api: Stripe) => Promise<T>): Promise<T> => {
    const api = await stripe();
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = api.errors;
    try {
      return await work(api);
    } catch (error) {
      const isAway = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
        (kind) => error instanceof kind,
      );
      throw isAway ? new RetryLaterError("payments_unreachable", RETRY_S) : error;
    }
  };

  return {
    /** Makes the page where an order is paid. Asked again with the same order it gives the same page. */
    async openSession(order: NewSession): Promise<{ id: string; url: string | undefined }> {
      const { id, url } = await reach(async (api) => {
        const coupon = order.discount > 0 ? await couponFor(api, order) : undefined;
        return api.checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: order.orderId,
            metadata: { order_id: order.orderId, order_number: order.number },
            payment_intent_data: { metadata: { order_id: order.orderId, order_number: order.number } },
            ...(order.email ? { customer_email: order.email } : {}),
            locale: order.language,
            line_items: order.lines.map(({ name, quantity, unitAmount }) => ({
              quantity,
              price_data: {
                currency: order.currency.toLowerCase(),
                unit_amount: unitAmount,
                tax_behavior: "inclusive",
                product_data: { name },
              },
            })),
            ...(coupon ? { discounts: [{ coupon }] } : {}),
            ...(automaticTax ? { automatic_tax: { enabled: true } } : {}),
            ...(order.posted
              ? {
                  shipping_address_collection: { allowed_countries: countriesFor(order.language) },
                  phone_number_collection: { enabled: true },
                }
              : {}),
            success_url: order.successUrl,
            cancel_url: order.cancelUrl,
            expires_at: Math.floor(order.expiresAt.getTime() / 1000),
          },
          { idempotencyKey: `session-${order.orderId}` },
        );
      });
      return { id, url: url ?? undefined };
    },

    /** Closes a page where nothing has been paid; nothing happens where that is too late. */
    async closeSession(id: string): Promise<void> {
      await reach((api) =>
        api.checkout.sessions.expire(id).catch((error: unknown) => {
          // Complete or expired already: its state is asked for next.
          if (!(error instanceof api.errors.StripeInvalidRequestError)) throw error;
        }),
      );
    },

    /** The state of a payment now, asked for anew; undefined where the provider knows none of that name. */
    async facts(sessionId: string): Promise<PaymentFacts | undefined> {
      const session = await reach((api) =>
        api.checkout.sessions
          .retrieve(sessionId, { expand: ["payment_intent.latest_charge"] })
          .catch((error: unknown) => {
            if (error instanceof api.errors.StripeInvalidRequestError && error.code === "resource_missing") return;
            throw error;
          }),
      );
      if (!session) return undefined;
      const intent = typeof session.payment_intent === "string" ? undefined : (session.payment_intent ?? undefined);
      const charge = typeof intent?.latest_charge === "string" ? undefined : (intent?.latest_charge ?? undefined);
      const disputes = charge?.disputed
        ? await reach(async (api) => (await api.disputes.list({ charge: charge.id, limit: 100 })).data)
        : [];
      return {
        session: session.id,
        orderId: session.metadata?.order_id ?? session.client_reference_id ?? undefined,
        state: z.enum(["open", "complete", "expired"]).parse(session.status),
        payment: paymentOf(session, intent),
        intent: intent?.id,
        total: session.amount_total ?? 0,
        tax: session.total_details?.amount_tax ?? 0,
        refunded: charge?.amount_refunded ?? 0,
        ...disputeOf(disputes),
        receiptUrl: charge?.receipt_url ?? undefined,
        email: session.customer_details?.email ?? session.customer_email ?? undefined,
        delivery: deliveryOf(session),
      };
    },

    /**
     * Gives money back, once for each `id` however often it is asked for. Answers with the provider's own id of it, or why the
     * provider does not give it back. Rejects where nobody knows what became of it.
     */
    async refund({ id, intent, amount }: NewRefund): Promise<{ made: string } | { refused: string }> {
      const api = await stripe();
      try {
        // The provider forgets keys after a day; what it did it keeps.
        const { data } = await api.refunds.list({ payment_intent: intent, limit: 100 });
        const made = data.find(({ metadata }) => metadata?.refund_id === id);
        if (made) return { made: made.id };
        const refund = await api.refunds.create(
          { payment_intent: intent, amount, metadata: { refund_id: id } },
          { idempotencyKey: `refund-${id}` },
        );
        return { made: refund.id };
      } catch (error) {
        if (error instanceof api.errors.StripeInvalidRequestError) return { refused: error.message };
        throw error;
      }
    },

    /** The session that a payment belongs to; undefined where it is none of a session's. */
    async sessionOf(intent: string): Promise<string | undefined> {
      const { data } = await (await stripe()).checkout.sessions.list({ payment_intent: intent, limit: 1 });
      return data[0]?.id;
    },

    /** The ids of the sessions of the provider's last days, with the orders that they are for. */
    async *sessionsSince(since: Date): AsyncGenerator<{ session: string; orderId: string | undefined }> {
      const api = await stripe();
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for await (const session of api.checkout.sessions.list({ created, limit: 100 })) {
        yield { session: session.id, orderId: session.metadata?.order_id };
      }
    },

    /** The payments whose refunds or disputes began since then. */
    async *intentsTouchedSince(since: Date): AsyncGenerator<string> {
      const api = await stripe();
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for (const list of [api.refunds.list({ created, limit: 100 }), api.disputes.list({ created, limit: 100 })]) {
        for await (const { payment_intent } of list) {
          const intent = Reference.parse(payment_intent);
          if (intent) yield intent;
        }
      }
    },

    /** What an event is about, once its signature is found to be the provider's and not old; undefined where it is not. */
    async readEvent(body: string, signature: string): Promise<PaymentEvent | undefined> {
      const api = await stripe();
      let event: Stripe.Event;
      try {
        event = api.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_S);
      } catch {
        return undefined;
      }
      const about = EventObject.safeParse(event.data.object);
      const { id, object, payment_intent } = about.data ?? { id: undefined, object: "", payment_intent: undefined };
      return {
        id: event.id,
        type: event.type,
        created: new Date(event.created * 1000),
        session: object === "checkout.session" ? id : undefined,
        intent: object === "payment_intent" ? id : (payment_intent ?? undefined),
      };
    },
  };
}

/** Seconds after which a provider that was away is asked again. */
const RETRY_S = 2;

/** Seconds between an event's signature and its arrival. */
const TOLERANCE_S = 300;

/** Where cards are sent. */
const COUNTRIES = ["GB", "IT", "IE", "SM", "VA", "FR", "DE", "ES", "PT", "NL", "BE", "LU", "AT", "CH", "MT"] as const;

/** The buyer's most likely one first. */
const countriesFor = (language: "en" | "it") =>
  language === "it" ? (["IT", ...COUNTRIES.filter((country) => country !== "IT")] as const).slice() : [...COUNTRIES];

async function couponFor(api: Stripe, { orderId, discount, discountName, currency }: NewSession): Promise<string> {
  const coupon = await api.coupons.create(
    {
      amount_off: discount,
      currency: currency.toLowerCase(),
      duration: "once",
      max_redemptions: 1,
      name: discountName.slice(0, 40),
    },
    { idempotencyKey: `coupon-${orderId}` },
  );
  return coupon.id;
}

function paymentOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | undefined,
): PaymentFacts["payment"] {
  if (session.payment_status === "paid") return "paid";
  // A page where nothing is to be paid says so from the start, long before anybody has agreed to it.
  if (session.status !== "complete") return "none";
  if (session.payment_status === "no_payment_required") return "paid";
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "refused" : "waiting";
}

/** Inquiries ask and take nothing; of several disputes the worst counts. */
function disputeOf(disputes: Stripe.Dispute[]): Pick<PaymentFacts, "dispute" | "disputeId" | "takenBack"> {
  const real = disputes.filter(({ status }) => !status.startsWith("warning_"));
  const lost = real.filter(({ status }) => status === "lost");
  const takenBack = lost.reduce((sum, { amount }) => sum + amount, 0);
  const open = real.find(({ status }) => !["won", "lost", "prevented"].includes(status));
  if (open) return { dispute: "open", disputeId: open.id, takenBack };
  return { dispute: lost.length > 0 ? "lost" : real.length > 0 ? "won" : "none", disputeId: undefined, takenBack };
}

function deliveryOf({ collected_information, customer_details }: Stripe.Checkout.Session): Delivery | undefined {
  const shipping = collected_information?.shipping_details;
  const address = Address.safeParse(shipping?.address);
  if (!shipping || !address.success) return undefined;
  return { name: shipping.name ?? "", phone: customer_details?.phone ?? "", address: address.data };
}

function hostOf(baseUrl: string | undefined) {
  if (!baseUrl) return {};
  const { protocol, hostname, port } = new URL(baseUrl);
  return {
    protocol: protocol === "http:" ? ("http" as const) : ("https" as const),
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
  };
}
