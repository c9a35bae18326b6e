import type { Session } from "@supabase/supabase-js";
import { config } from "../browser/config.ts";
import { appNavigation } from "../browser/navigation.ts";
import { browserStorage, readJson } from "../browser/storage.ts";
import { offline } from "../offline/offline-state.ts";
import { beginSession, hasExpired, isLeaving, isSigningOut, markExpired } from "../session/ended-session.ts";
import { forgetOutbox } from "../session/forget-outbox.ts";
import { pathOf, rememberRedirect } from "../session/redirect-url.ts";
import { changeSession, currentSession, isStaffRole, type Session as SessionState } from "../session/session.ts";
import { SESSION_KEY } from "../session/session-key.ts";
import { clearStorage, hasStoredSession } from "../session/stored-session.ts";
import { claimsIn } from "../session/token-claims.ts";
import { isReconnecting } from "./reconnecting.ts";
import { requestPolicy } from "./request-policy.ts";
import { noteClock } from "./server-clock.ts";
import { userClient } from "./user-client.ts";

const { supabaseUrl, supabaseAnonKey } = config();

/** Fetch under the request policy, for the signed-in person. */
export const requestAsUser = requestPolicy({
  async refresh() {
    const { data, error } = await supabase.auth.refreshSession();
    if (error || !data.session) throw error ?? new Error("No session");
    return data.session.access_token;
  },
  onExpired() {
    endExpired();
    changeSession({ state: "signed out" });
    // A sign-out opens its own page.
    if (!hasExpired()) return;
    const { goTo, login } = appNavigation();
    // Several requests may fail, the last one after the sign-in page is shown. That page must not be remembered.
    if (location.pathname === login) return;
    rememberRedirect(pathOf(location));
    goTo(login);
  },
});

/** The signed-in person's client. It is large and visitors do not need it, so only lazy chunks import this module. */
export const supabase = userClient(supabaseUrl, supabaseAnonKey, requestAsUser);

/** The id of the last session. */
let sessionId: unknown;

// Handles session changes of this and other tabs in one place.
supabase.auth.onAuthStateChange((event, session) => {
  if (event === "SIGNED_OUT") endExpired();
  if (session) {
    const { session_id: id, exp } = claimsIn(session.access_token);
    // The client keeps its expiry by the device's clock, the token by the server's.
    noteClock((Number(session.expires_at) - Number(exp)) * 1000);
    // A late event of the session that another tab ends would sign the person in again. A new session is accepted.
    if (isLeaving() && (event === "INITIAL_SESSION" || id === sessionId)) return;
    sessionId = id;
    beginSession();
    changeSession(stateOf(session));
  }
  // A session that could not be refreshed because the server did not answer is still valid, and is refreshed later.
  else if (!(hasStoredSession() && (isReconnecting() || offline.get()))) changeSession({ state: "signed out" });
});

// Without a network an expired session cannot be refreshed. The offline copies that it shows are this person's.
const storedSession = offline.get() ? (readJson(browserStorage, SESSION_KEY) as Session | undefined) : undefined;
if (storedSession?.user) {
  beginSession();
  changeSession(stateOf(storedSession));
}

/** Clears the storage of a session that has ended, and marks it as expired unless the person signs out. */
function endExpired() {
  // The client and several refused requests report the same end; the first has stored the page to return to.
  if (hasExpired() && !hasStoredSession()) return;
  const expired = currentSession.get().state !== "signed out" && !isSigningOut();
  clearStorage();
  forgetOutbox();
  if (expired) markExpired();
}

/** A session may still need its second factor (Spec §4: MFA challenge verified). */
function stateOf({ access_token, user }: Session): SessionState {
  const hasUsedFactor = claimsIn(access_token).aal === "aal2";
  if (!hasUsedFactor && user.factors?.some(({ status }) => status === "verified"))
    return { state: "signed out", halfway: true };
  const { role } = user.app_metadata;
  return {
    state: "signed in",
    user: {
      id: user.id,
      email: user.email ?? "",
      fullName: String(user.user_metadata.full_name ?? ""),
      ...(hasUsedFactor && isStaffRole(role) ? { role } : {}),
    },
  };
}
