import { createClient, type Session, type User } from "@supabase/supabase-js";
import type { Database } from "../../../shared/database.ts";
import { config } from "../browser/config.ts";
import { appNavigation } from "../browser/navigation.ts";
import { rememberRedirect } from "../session/redirect-url.ts";
import { type CurrentUser, changeSession } from "../session/session.ts";
import { clearStorage, SESSION_KEY } from "../session/stored-session.ts";
import { claimsIn } from "../session/token-claims.ts";
import { requestPolicy } from "./request-policy.ts";

const { supabaseUrl, supabaseAnonKey } = config();

/** Fetch under the request policy, for the signed-in person. */
export const requestAsUser = requestPolicy({
  async refresh() {
    const { data, error } = await supabase.auth.refreshSession();
    if (error || !data.session) throw error ?? new Error("No session");
    return data.session.access_token;
  },
  onExpired() {
    clearStorage();
    changeSession({ state: "signed out" });
    rememberRedirect(location.pathname + location.search);
    const { goTo, login } = appNavigation();
    goTo(login);
  },
});

/** The signed-in person's client. Only lazy chunks import this module: it is large, and visitors have no use for it. */
export const supabase = createClient<Database>(supabaseUrl, supabaseAnonKey, {
  auth: {
    storageKey: SESSION_KEY,
    // A session is only ever opened for the browser that asked for it: nobody is signed in by a link that others made.
    flowType: "pkce",
    // One screen reads what comes back in an address; a `code` or `error` in any other is no business of the client's.
    detectSessionInUrl: false,
  },
  global: { fetch: requestAsUser },
});

// Hears of this tab's changes and of other tabs', in one place, whichever screen loaded the client.
supabase.auth.onAuthStateChange((event, session) => {
  if (event === "SIGNED_OUT") clearStorage();
  if (!session) changeSession({ state: "signed out" });
  else if (lacksFactor(session)) changeSession({ state: "signed out", halfway: true });
  else changeSession({ state: "signed in", user: toCurrentUser(session.user) });
});

/** Whether a second factor stands between the session and its person (Spec §4: MFA challenge verified). */
function lacksFactor({ access_token, user }: Session): boolean {
  return claimsIn(access_token).aal !== "aal2" && (user.factors ?? []).some(({ status }) => status === "verified");
}

function toCurrentUser(user: User): CurrentUser {
  return { id: user.id, email: user.email ?? "", fullName: String(user.user_metadata.full_name ?? "") };
}
