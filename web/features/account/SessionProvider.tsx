import type { User } from "@supabase/supabase-js";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type CurrentUser, type Session, SessionContext } from "../../lib/session.ts";
import { hasStoredSession, SESSION_KEY } from "../../lib/stored-session.ts";

/**
 * Tells the app who is signed in, from loading to signed in or signed out (Spec §4), here and as other tabs change it.
 * The client that knows is large, so it is only loaded where a session is stored.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session>(() =>
    hasStoredSession() ? { state: "loading" } : { state: "signed out" },
  );
  const [following, setFollowing] = useState(hasStoredSession);
  const queries = useQueryClient();

  useEffect(() => {
    // A session that comes from or goes in another tab; `key` is null when everything was cleared.
    const onStorage = ({ key }: StorageEvent) => {
      if (key !== SESSION_KEY && key !== null) return;
      if (hasStoredSession()) setFollowing(true);
      else setSession({ state: "signed out" });
    };
    addEventListener("storage", onStorage);
    addEventListener(SESSION_STORED, startFollowing);
    function startFollowing() {
      setFollowing(true);
    }
    return () => {
      removeEventListener("storage", onStorage);
      removeEventListener(SESSION_STORED, startFollowing);
    };
  }, []);

  useEffect(() => {
    if (!following) return;
    let stop: (() => void) | undefined;
    let stopped = false;
    const follow = async () => {
      const { supabase } = await import("../../lib/supabase.ts");
      if (stopped) return;
      const { data } = supabase.auth.onAuthStateChange((_event, stored) => {
        setSession(stored ? { state: "signed in", user: toCurrentUser(stored.user) } : { state: "signed out" });
      });
      stop = () => data.subscription.unsubscribe();
    };
    follow().catch((error) => {
      console.error(error);
      setSession({ state: "signed out" });
    });
    return () => {
      stopped = true;
      stop?.();
    };
  }, [following]);

  // One person's answers must never be shown to the next.
  const userId = session.state === "signed in" ? session.user.id : undefined;
  useEffect(() => {
    if (session.state !== "loading" && userId === undefined) queries.clear();
  }, [session.state, userId, queries]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Dispatched on the window once this tab has stored a session, since `storage` events only reach the others. */
export const SESSION_STORED = "skies:session-stored";

function toCurrentUser(user: User): CurrentUser {
  return { id: user.id, email: user.email ?? "", fullName: String(user.user_metadata.full_name ?? "") };
}
