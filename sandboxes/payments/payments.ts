import type { FastifyPluginAsync } from "fastify";
import { openApi } from "./api.ts";
import { pages } from "./pages.ts";
import { createPaymentStore, type PaymentStore } from "./payment-store.ts";
import { createWebhooks } from "./webhooks.ts";

/** Replaces the payment provider: its API, its payment page, and its webhooks. */
export interface Payments {
  /** http://127.0.0.1:…, in place of https://api.stripe.com. */
  baseUrl: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** The pages, to mount at /sandbox/payments. The API's own port serves them too. */
  routes: FastifyPluginAsync;
  store: PaymentStore;
  /** Sets the URL for further webhooks. */
  deliverTo(webhookUrl: string): void;
  /** Completes the payments of slow banks, and sends the delayed webhooks. */
  release(): void;
  /** The number of webhooks that are not accepted yet. */
  waiting(): number;
  /** Returns the signature header of an event with this body; `at` in seconds since 1970. */
  sign(body: string, at?: number): string;
  /** Sends an event again. */
  repeat(eventId: string): boolean;
  events(): { id: string; type: string }[];
  close(): Promise<void>;
}

interface PaymentsSettings {
  /** The URL of the pages. Default: the API's own port. */
  pageUrl?: string;
  /** The URL for webhooks. */
  webhookUrl?: string;
  /** The API's port. Default: a free one. */
  port?: number;
}

export async function openPayments({ pageUrl, webhookUrl, port = 0 }: PaymentsSettings = {}): Promise<Payments> {
  const [secretKey, publishableKey, webhookSecret] = ["sk_test_sandbox", "pk_test_sandbox", "whsec_sandbox"];
  const webhooks = createWebhooks({ secret: webhookSecret, url: webhookUrl });
  let own = "";
  const store = createPaymentStore(webhooks, () => pageUrl ?? `${own}/sandbox/payments`);
  const routes = pages(store, webhooks);
  const api = await openApi({ store, webhooks, secretKey, port, pages: routes });
  own = api.url;
  return {
    baseUrl: api.url,
    secretKey,
    publishableKey,
    webhookSecret,
    routes,
    store,
    deliverTo: webhooks.deliverTo,
    release: store.release,
    waiting: webhooks.waiting,
    sign: webhooks.sign,
    repeat: webhooks.repeat,
    events: () => webhooks.events.map(({ id, type }) => ({ id, type })),
    async close() {
      webhooks.close();
      await api.close();
    },
  };
}
