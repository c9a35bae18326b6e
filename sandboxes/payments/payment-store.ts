import { ApiError, amountAt, objectOf } from "./api-error.ts";
import { createAttempts } from "./attempts.ts";
import type { TestCardBehaviour } from "./cards.ts";
import { type FormObject, listAt, objectAt, textAt } from "./form-body.ts";
import {
  type Charge,
  type Coupon,
  type Dispute,
  type LineItem,
  newId,
  type PaymentIntent,
  type Refund,
  type Session,
  seconds,
} from "./objects.ts";
import { createRefunds } from "./refunds.ts";
import type { Webhooks } from "./webhooks.ts";

/** The vendor's minimum amount, in the smallest unit of each currency. */
const LEAST: Readonly<Record<string, number>> = { gbp: 30, eur: 50 };

/** Stores all sessions, payments, refunds and disputes in memory. */
export function createPaymentStore(webhooks: Webhooks, pageUrl: () => string) {
  const sessions = new Map<string, Session>();
  const items = new Map<string, LineItem[]>();
  const coupons = new Map<string, Coupon>();
  const intents = new Map<string, PaymentIntent>();
  const charges = new Map<string, Charge>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const cardsByIntent = new Map<string, TestCardBehaviour>();

  const chargeOf = (session: Session): Charge | undefined =>
    charges.get(intents.get(session.payment_intent ?? "")?.latest_charge ?? "");
  const deliveryOf = (intent: string | null) => cardsByIntent.get(intent ?? "")?.delivery;
  /** Returns a session, and expires it first if its time is over. */
  const current = (id: string): Session => {
    const session = objectOf(sessions, id, "checkout.session");
    if (session.status === "open" && session.expires_at <= seconds()) expire(session);
    return session;
  };
  const expire = (session: Session) => {
    session.status = "expired";
    session.url = null;
    webhooks.emit([["checkout.session.expired", session]]);
  };

  return {
    sessions,
    items,
    coupons,
    intents,
    charges,
    refunds,
    disputes,
    current,
    chargeOf,

    makeCoupon(form: FormObject): Coupon {
      const coupon: Coupon = {
        id: textAt(form, "id") ?? newId("co").slice(3, 11),
        object: "coupon",
        amount_off: amountAt(form, "amount_off"),
        currency: textAt(form, "currency") ?? "",
        duration: textAt(form, "duration") ?? "once",
        name: textAt(form, "name") ?? null,
        valid: true,
        created: seconds(),
      };
      coupons.set(coupon.id, coupon);
      return coupon;
    },

    makeSession(form: FormObject): Session {
      const lines = listAt(form, "line_items").map((line, place): LineItem => {
        const price = objectAt(line, "price_data") ?? {};
        const quantity = amountAt(line, "quantity");
        const currency = textAt(price, "currency") ?? "";
        const unit_amount = amountAt(price, "unit_amount");
        const name = textAt(objectAt(price, "product_data") ?? {}, "name");
        if (!name)
          throw new ApiError("Missing required param.", `line_items[${place}][price_data][product_data][name]`);
        return {
          id: newId("li"),
          object: "item",
          description: name,
          quantity,
          currency,
          amount_subtotal: unit_amount * quantity,
          price: { object: "price", unit_amount, currency },
        };
      });
      const [first] = lines;
      if (!first) throw new ApiError("Missing required param: line_items.", "line_items", "parameter_missing");
      if (lines.some(({ currency }) => currency !== first.currency)) {
        throw new ApiError("All line items must have the same currency.", "line_items");
      }
      const success_url = textAt(form, "success_url");
      if (!success_url) throw new ApiError("Missing required param: success_url.", "success_url", "parameter_missing");
      const couponId = textAt(listAt(form, "discounts")[0] ?? {}, "coupon");
      const coupon = couponId === undefined ? undefined : objectOf(coupons, couponId, "coupon");
      const amount_subtotal = lines.reduce((sum, line) => sum + line.amount_subtotal, 0);
      const amount_discount = Math.min(coupon?.amount_off ?? 0, amount_subtotal);
      const amount_total = amount_subtotal - amount_discount;
      const least = LEAST[first.currency] ?? 50;
      if (amount_total > 0 && amount_total < least) {
        throw new ApiError(
          `The Checkout Session's total amount due must add up to at least ${least} in ${first.currency}`,
          undefined,
          "amount_too_small",
        );
      }
      const created = seconds();
      const expires_at = textAt(form, "expires_at") ? amountAt(form, "expires_at") : created + 86_400;
      if (expires_at < created + 1800 || expires_at > created + 86_400) {
        throw new ApiError("The `expires_at` timestamp must be 30 minutes to 24 hours from now.", "expires_at");
      }
      const taxed = textAt(objectAt(form, "automatic_tax") ?? {}, "enabled") === "true";
      const countries = objectAt(form, "shipping_address_collection")?.allowed_countries;
      const id = `cs_test_${newId("x").slice(2)}`;
      const session: Session = {
        id,
        object: "checkout.session",
        mode: textAt(form, "mode") ?? "payment",
        status: "open",
        payment_status: amount_total === 0 ? "no_payment_required" : "unpaid",
        payment_intent: null,
        client_reference_id: textAt(form, "client_reference_id") ?? null,
        metadata: metadataIn(form),
        currency: first.currency,
        amount_subtotal,
        amount_total,
        // A tax of 20 % that the price includes is a sixth of the total.
        total_details: { amount_discount, amount_tax: taxed ? Math.round(amount_total / 6) : 0, amount_shipping: 0 },
        automatic_tax: { enabled: taxed, status: taxed ? "complete" : null },
        customer_email: textAt(form, "customer_email") ?? null,
        customer_details: null,
        collected_information: null,
        shipping_address_collection: Array.isArray(countries) ? { allowed_countries: countries.map(String) } : null,
        phone_number_collection: {
          enabled: textAt(objectAt(form, "phone_number_collection") ?? {}, "enabled") === "true",
        },
        locale: textAt(form, "locale") ?? null,
        success_url,
        cancel_url: textAt(form, "cancel_url") ?? null,
        url: `${pageUrl()}/pay/${id}`,
        created,
        expires_at,
        livemode: false,
      };
      sessions.set(id, session);
      items.set(id, lines);
      return session;
    },

    expireSession(id: string): Session {
      const session = current(id);
      if (session.status !== "open") {
        throw new ApiError('Only Checkout Sessions with a status in ["open"] can be expired.');
      }
      expire(session);
      return session;
    },

    ...createAttempts({ webhooks, pageUrl, current, sessions, intents, charges, cardsByIntent }),
    ...createRefunds({ webhooks, intents, charges, refunds, disputes, deliveryOf }),
  };
}
export type PaymentStore = ReturnType<typeof createPaymentStore>;

const metadataIn = (form: FormObject): Record<string, string> =>
  Object.fromEntries(Object.entries(objectAt(form, "metadata") ?? {}).map(([key, value]) => [key, String(value)]));
