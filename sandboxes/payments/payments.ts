import type { FastifyPluginAsync } from "fastify";
import { openApi } from "./api.ts";
import { pages } from "./pages.ts";
import { createPaymentStore, type PaymentStore } from "./payment-store.ts";
import { createWebhooks } from "./webhooks.ts";

/** Stands in for the payment provider: its API, the page where people pay, and the webhooks that tell what happened. */
export interface Payments {
  /** http://127.0.0.1:…, in place of https://api.stripe.com. */
  baseUrl: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** The pages, to be mounted at /sandbox/payments; the API's own port has them, too. */
  routes: FastifyPluginAsync;
  store: PaymentStore;
  /** Where webhooks go from now on. */
  deliverTo(webhookUrl: string): void;
  /** Lets slow banks answer, and late webhooks go out. */
  release(): void;
  /** How many webhooks have not been answered yet. */
  waiting(): number;
  /** The header with which an event of this body would come; `at` in seconds since 1970. */
  sign(body: string, at?: number): string;
  /** Sends an event again. */
  repeat(eventId: string): boolean;
  events(): { id: string; type: string }[];
  close(): Promise<void>;
}

interface PaymentsSettings {
  /** Where people find the pages; on the API's own port where nothing is said. */
  pageUrl?: string;
  /** Where webhooks go. */
  webhookUrl?: string;
  /** The API's port; a free one where nothing is said. */
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
