import type Stripe from "stripe";
import { z } from "zod";
import { RetryLaterError } from "../../shared/request-error.ts";

export interface PaymentSettings {
  secretKey: string;
  /** The provider's secret for signing its events. */
  webhookSecret: string;
  /** Replaces https://api.stripe.com. */
  baseUrl?: string;
  /** Whether the provider computes taxes, which our prices include. */
  automaticTax: boolean;
}

/** A purchase on the provider's page. Money in pence or cents. */
export interface NewSession {
  orderId: string;
  number: string;
  email: string;
  language: "en" | "it";
  currency: "GBP" | "EUR";
  lines: { name: string; quantity: number; unitAmount: number }[];
  /** The discount on the total. */
  discount: number;
  discountName: string;
  /** Whether it needs a delivery address. */
  posted: boolean;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

/** The provider's current data of a payment. Money in pence or cents. */
export interface PaymentFacts {
  session: string;
  /** Our order, if the session was created here. */
  orderId: string | undefined;
  state: "open" | "complete" | "expired";
  /** `waiting` for a bank, `refused` by one. */
  payment: "paid" | "waiting" | "refused" | "none";
  intent: string | undefined;
  total: number;
  tax: number;
  /** The sum of our refunds. */
  refunded: number;
  dispute: "none" | "open" | "won" | "lost";
  /** The open dispute, if any. */
  disputeId: string | undefined;
  /** The sum of lost disputes. */
  takenBack: number;
  receiptUrl: string | undefined;
  /** The email address that the buyer gave to the provider. */
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

/** A provider's event, reduced to the id of the payment to fetch. */
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

/** A refund, in pence or cents. */
interface NewRefund {
  /** Our id of the refund. */
  id: string;
  intent: string;
  amount: number;
}

/** Takes payments with the vendor's own client. */
export function payments({ secretKey, webhookSecret, baseUrl, automaticTax }: PaymentSettings) {
  const connect = async () => {
    // Loaded at first use: it is large, and most processes take no payments.
    const { default: Client } = await import("stripe");
    return new Client(secretKey, { maxNetworkRetries: 2, timeout: 15_000, telemetry: false, ...hostOf(baseUrl) });
  };
  let client: Promise<Stripe> | undefined;
  const stripe = () => {
    client ??= connect();
    return client;
  };
  /** Runs `work`; refuses with a message for people if the provider is unreachable, fails or limits requests. */
  const reach = async <T>(work: (api: Stripe) => Promise<T>): Promise<T> => {
    const api = await stripe();
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = api.errors;
    try {
      return await work(api);
    } catch (error) {
      for (const kind of [StripeAPIError, StripeConnectionError, StripeRateLimitError]) {
        // Without a time from the provider, the next request finds out whether it is there again.
        if (error instanceof kind)
          throw new RetryLaterError("payments_unreachable", Number(error.headers?.["retry-after"]) || 0);
      }
      throw error;
    }
  };

  return {
    /** Creates the payment page of an order; repeated calls for the same order return the same page. */
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

    /** Closes an unpaid payment page; does nothing if it is complete or expired. */
    async closeSession(id: string): Promise<void> {
      await reach((api) =>
        api.checkout.sessions.expire(id).catch((error: unknown) => {
          // Complete or expired: the caller fetches its state next.
          if (!(error instanceof api.errors.StripeInvalidRequestError)) throw error;
        }),
      );
    },

    /** Fetches the state of a payment; undefined if the provider does not know it. */
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
     * Refunds money, once for each `id`, also for repeated calls. Resolves to the provider's id of the refund, or to
     * the provider's reason for refusing it. Rejects if the result is unknown.
     */
    async refund({ id, intent, amount }: NewRefund): Promise<{ made: string } | { refused: string }> {
      const api = await stripe();
      try {
        // The provider forgets idempotency keys after a day, but not its refunds.
        const { data } = await api.refunds.list({ payment_intent: intent, limit: 100 });
        const existingRefund = data.find(({ metadata }) => metadata?.refund_id === id);
        if (existingRefund) return { made: existingRefund.id };
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

    /** The session of a payment; undefined if it has none. */
    async sessionOf(intent: string): Promise<string | undefined> {
      const { data } = await (await stripe()).checkout.sessions.list({ payment_intent: intent, limit: 1 });
      return data[0]?.id;
    },

    /** The sessions created since `since`, with their orders. */
    async *sessionsSince(since: Date): AsyncGenerator<{ session: string; orderId: string | undefined }> {
      const api = await stripe();
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for await (const session of api.checkout.sessions.list({ created, limit: 100 })) {
        yield { session: session.id, orderId: session.metadata?.order_id };
      }
    },

    /** The payments with a refund or dispute created since `since`. */
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

    /** Parses an event with a valid and recent signature; otherwise undefined. */
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

/** The maximum age of an event's signature in seconds. */
const TOLERANCE_S = 300;

/** The countries that cards are sent to. */
const COUNTRIES = ["GB", "IT", "IE", "SM", "VA", "FR", "DE", "ES", "PT", "NL", "BE", "LU", "AT", "CH", "MT"] as const;

/** The buyer's likely country first. */
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
  // Without an amount to pay, a page is complete from the start, before anybody has agreed.
  if (session.status !== "complete") return "none";
  if (session.payment_status === "no_payment_required") return "paid";
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "refused" : "waiting";
}

/** Summarises a payment's disputes. Inquiries hold no money and do not count. Of several disputes the worst counts. */
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
