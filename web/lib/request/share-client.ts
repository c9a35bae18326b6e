import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/database.ts";
import { config } from "../browser/config.ts";
import type { SupabaseClient } from "./database-client.ts";
import { requestPolicy } from "./request-policy.ts";

export interface ShareSession {
  /** The share token to send as bearer, from memory. */
  token: () => string;
  /** Renews the token without a PIN; rejects when the link no longer opens. */
  renew: () => Promise<string>;
  /** Called when the link no longer opens: the visitor has to open it again. */
  onClosed: () => void;
}

/** A client that reads as the holder of a share link, whoever else is signed in here. */
export function shareClient(session: ShareSession): SupabaseClient {
  const { supabaseUrl, supabaseAnonKey } = config();
  return createClient<Database>(supabaseUrl, supabaseAnonKey, {
    accessToken: async () => session.token(),
    global: { fetch: requestPolicy({ refresh: session.renew, onExpired: session.onClosed }) },
  });
}
