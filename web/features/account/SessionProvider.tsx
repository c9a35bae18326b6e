import { QueryClientContext } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect, useRef } from "react";
import { inAttempts } from "../../lib/browser/lazy-part.ts";
import { appNavigation } from "../../lib/browser/navigation.ts";
import { useStore } from "../../lib/browser/store.ts";
import {
  followSignOut,
  forgetExpired,
  hasExpired,
  mayShowPrivatePage,
  notePageLeft,
  SIGN_OUT_KEY,
} from "../../lib/session/ended-session.ts";
import { changeSession, currentSession, SessionContext } from "../../lib/session/session.ts";
import { SESSION_KEY } from "../../lib/session/session-key.ts";
import { hasStoredSession } from "../../lib/session/stored-session.ts";
import { paths } from "../../paths.ts";

/**
 * Keeps the session state current, from loading to signed in or signed out (Spec §4), in all tabs. The client is large,
 * so it is loaded only if a session is stored.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const session = useStore(currentSession);

  useEffect(() => {
    if (hasStoredSession()) void followSession();
    // Other tabs may not have loaded the client; `key` is null after the storage was cleared.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      // This page may show what is private, so a sign-out in another tab leaves it (Spec §4).
      if (key === SIGN_OUT_KEY && newValue) leavePage();
      if (key !== SESSION_KEY && key !== null) return;
      if (hasStoredSession()) return void followSession();
      followSignOut("has ended");
      changeSession({ state: "signed out" });
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, []);

  useForgetting(session.state === "signed in" ? session.user.id : undefined);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Leaves the page for a sign-out in another tab, also if the client or a refused request has reported its end first. */
function leavePage() {
  followSignOut("begins");
  if (currentSession.get().state === "signed out" && !hasExpired() && !mayShowPrivatePage()) return;
  notePageLeft();
  forgetExpired();
  appNavigation().goTo(paths.start());
  changeSession({ state: "signed out" });
}

async function followSession() {
  try {
    await inAttempts(() => import("../../lib/request/supabase.ts"));
  } catch (error) {
    // Without the client nobody is signed in; the stored session remains for the next visit.
    console.error(error);
    changeSession({ state: "signed out" });
  }
}

/** Clears the cached data of the previous person when the person changes. Queries in use remain. */
function useForgetting(userId: string | undefined) {
  const queries = useContext(QueryClientContext);
  const last = useRef(userId);
  useEffect(() => {
    if (last.current !== undefined && last.current !== userId) queries?.removeQueries({ type: "inactive" });
    last.current = userId;
  }, [userId, queries]);
}
