import { openApi } from "../../sandboxes/payments/api.ts";
import { newId, seconds, type VendorEvent } from "../../sandboxes/payments/objects.ts";
import { pages } from "../../sandboxes/payments/pages.ts";
import { createPaymentStore, type PaymentStore } from "../../sandboxes/payments/payment-store.ts";
import { createWebhooks } from "../../sandboxes/payments/webhooks.ts";
import { atEnd } from "./at-end.ts";

export interface PaymentsByHand {
  baseUrl: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  store: PaymentStore;
  /** All events since `forget`, oldest first. */
  events: VendorEvent[];
  /** Delivers a signed event to the webhook; resolves to the response. */
  deliver(event: VendorEvent, webhook: string): Promise<Response>;
  /** Removes all purchases and events. */
  forget(): void;
}

/** The payment sandbox with manual delivery of events: in any order, late, twice or never. */
export async function paymentsByHand(): Promise<PaymentsByHand> {
  const [secretKey, publishableKey, webhookSecret] = ["sk_test_sandbox", "pk_test_sandbox", "whsec_sandbox"];
  const events: VendorEvent[] = [];
  const sandbox = createWebhooks({ secret: webhookSecret });
  // Typed, so that it keeps the name of what it replaces.
  const emit: typeof sandbox.emit = (changes) => {
    for (const [type, object] of changes) {
      events.push({
        id: newId("evt"),
        object: "event",
        api_version: "2026-10-28.endive",
        created: seconds(),
        type,
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: 1,
      });
    }
  };
  const webhooks = { ...sandbox, events, emit };
  let own = "";
  const store = createPaymentStore(webhooks, () => `${own}/sandbox/payments`);
  const api = await openApi({ store, webhooks, secretKey, port: 0, pages: pages(store, webhooks) });
  own = api.url;
  atEnd(() => api.close());
  return {
    baseUrl: api.url,
    secretKey,
    publishableKey,
    webhookSecret,
    store,
    events,
    async deliver(event, webhook) {
      const body = JSON.stringify(event);
      return fetch(webhook, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": webhooks.sign(body) },
        body,
      });
    },
    forget() {
      events.length = 0;
      for (const objects of [store.sessions, store.items, store.coupons, store.intents, store.charges]) objects.clear();
      for (const objects of [store.refunds, store.disputes]) objects.clear();
    },
  };
}
