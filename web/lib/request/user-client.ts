import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/database.ts";
import { SESSION_KEY } from "../session/session-key.ts";
import type { SupabaseClient } from "./database-client.ts";
import { limitRenewals } from "./renewals.ts";

/** The official client for the signed-in person. `fetch` follows the request policy, which alone repeats requests. */
export function userClient(supabaseUrl: string, supabaseAnonKey: string, fetch: typeof globalThis.fetch) {
  const client: SupabaseClient = createClient<Database>(supabaseUrl, supabaseAnonKey, {
    auth: {
      storageKey: SESSION_KEY,
      // A sign-in completes only in the browser that began it, so that nobody is signed in by another person's link.
      flowType: "pkce",
      // Only the callback screen reads a `code` or `error` from the URL.
      detectSessionInUrl: false,
    },
    global: { fetch: limitRenewals(withDeviceExpiry(fetch)) },
  });
  // Repeated by both the policy and the client, three attempts would be twelve. The client has no option for this.
  client["rest"].retry = false;
  return client;
}

/**
 * Wraps a fetch so that the auth client takes a session's end from its duration. By the server's time of its end, a device
 * whose clock is ahead would renew its session before each request, and one whose clock is behind would do it too late.
 */
const withDeviceExpiry =
  (request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await request(input, init);
    if (!response.ok || !/\/auth\/v1\/(token|signup|verify|factors\/[^/]+\/verify)\b/.test(String(input)))
      return response;
    const { expires_at: _, ...answer } = await response.json();
    // `Response.json` is younger than the oldest supported browsers.
    return new Response(JSON.stringify(answer), response);
  };
