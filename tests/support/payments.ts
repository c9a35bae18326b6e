import type { SupabaseClient } from "@supabase/supabase-js";
import { openPayments, type Payments } from "../../sandboxes/payments/payments.ts";
import { atEnd } from "./at-end.ts";
import type { Person } from "./people.ts";
import { type TestServer, testServer } from "./server.ts";

export interface PayingServer extends TestServer, CheckoutRequests {
  sandbox: Payments;
}

interface CheckoutRequests {
  /** POSTs to create-checkout as a person, like the browser; `headers` are added. */
  checkOut(person: Person, body: object, headers?: Record<string, string>): Promise<Response>;
  /** Creates a payment page for `items`; resolves to its session id. */
  sessionFor(person: Person, items: object[], more?: object): Promise<string>;
}

/** The settings of a server for this sandbox. */
export const sandboxSettings = (
  sandbox: Pick<Payments, "secretKey" | "webhookSecret" | "publishableKey" | "baseUrl">,
) => ({
  STRIPE_SECRET_KEY: sandbox.secretKey,
  STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
  STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
  STRIPE_BASE_URL: sandbox.baseUrl,
});

/** A server and a payment sandbox that sends its events there; both end with the file. */
export async function payingServer(environment: Record<string, string> = {}): Promise<PayingServer> {
  const sandbox = await openPayments();
  atEnd(() => sandbox.close());
  const server = await testServer({ ...sandboxSettings(sandbox), ...environment });
  sandbox.deliverTo(`${server.url}/functions/v1/payment-webhook`);
  return { ...server, sandbox, ...checkoutRequests(server) };
}

/** The requests by which people reach the payment page. */
export function checkoutRequests(server: Pick<TestServer, "url">): CheckoutRequests {
  const checkOut = (person: Person, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/.netlify/functions/create-checkout`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${person.token}`,
        "x-user-id": person.id,
        ...headers,
      },
      body: JSON.stringify({
        success_url: `${server.url}/success`,
        cancel_url: `${server.url}/cart`,
        ...body,
      }),
    });
  return {
    checkOut,
    async sessionFor(person, items, more = {}) {
      const reply = await checkOut(person, { items, ...more });
      const { url, message } = (await reply.json()) as { url?: string; message?: string };
      if (!url) throw new Error(`No page to pay at: ${message}`);
      return url.split("/").at(-1) ?? "";
    },
  };
}

export const PLAN = { plan_id: "skies-memories", quantity: 1, currency: "GBP" };
export const CARDS = (quantity: number, currency = "GBP") => ({ product_id: "metal-card", quantity, currency });
export const ADDRESS = {
  line1: "1 High Street",
  line2: null,
  city: "Bath",
  state: null,
  postal_code: "BA1 1AA",
  country: "GB",
};

/** A person's orders, newest first, read with their permissions. */
export async function ordersOf(client: SupabaseClient) {
  const { data, error } = await client
    .from("orders")
    .select("*, order_items(*)")
    .order("created_at", { ascending: false });
  if (error) throw error;
  return data;
}
