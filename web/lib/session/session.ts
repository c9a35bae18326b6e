import { createContext, useContext } from "react";
import { createStore } from "../browser/store.ts";
import { hasStoredSession } from "./stored-session.ts";

/** Staff roles, with the same names as in the database. */
export type StaffRole = (typeof STAFF_ROLES)[number];
const STAFF_ROLES = ["admin", "support", "fulfilment", "editor"] as const;

export const isStaffRole = (role: unknown): role is StaffRole => STAFF_ROLES.some((staffRole) => staffRole === role);

/** The current user, Spec §3. */
export interface CurrentUser {
  id: string;
  email: string;
  fullName: string;
  /** The staff role, for a session with a second factor. Only for display: the server checks permissions. */
  role?: StaffRole;
}

export type Session =
  | { state: "loading" }
  /** `halfway`: the password was correct, and the second factor is still required. */
  | { state: "signed out"; halfway?: true }
  | { state: "signed in"; user: CurrentUser };

/** The session, for code outside of components. */
export const currentSession = createStore<Session>(hasStoredSession() ? { state: "loading" } : { state: "signed out" });

/** The signed-in person, for code outside of components. */
export function signedInUser(): CurrentUser | undefined {
  const session = currentSession.get();
  return session.state === "signed in" ? session.user : undefined;
}

/** Sets the session; the same person again changes nothing, so a renewed token causes no render. */
export function changeSession(next: Session) {
  if (JSON.stringify(next) !== JSON.stringify(currentSession.get())) currentSession.set(next);
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session and its person, if signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be used within a SessionProvider");
  return session;
}

/** The signed-in person, for screens that require a session. */
export function useUser(): CurrentUser {
  const session = useSession();
  if (session.state !== "signed in") throw new Error("useUser must be used where somebody is signed in");
  return session.user;
}
