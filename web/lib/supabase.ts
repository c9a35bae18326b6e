import { createClient } from "@supabase/supabase-js";
import { config } from "./config.ts";
import { goTo } from "./navigation.ts";
import { requestPolicy } from "./request-policy.ts";
import { SESSION_KEY } from "./stored-session.ts";

const { supabaseUrl, supabaseAnonKey } = config();

/** Fetch under the request policy, as the signed-in person. */
export const requestAsUser = requestPolicy({
  async refresh() {
    const { data, error } = await supabase.auth.refreshSession();
    if (error || !data.session) throw error ?? new Error("No session");
    return data.session.access_token;
  },
  onExpired: () => goTo("/login"),
});

/** The signed-in person's client. Only lazy chunks import this module: it is large, and visitors have no use for it. */
export const supabase = createClient(supabaseUrl, supabaseAnonKey, {
  auth: { storageKey: SESSION_KEY },
  global: { fetch: requestAsUser },
});
