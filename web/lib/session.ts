import { createContext, useContext } from "react";

/** The current user, Spec §3. */
export interface CurrentUser {
  id: string;
  email: string;
  fullName: string;
}

export type Session = { state: "loading" } | { state: "signed out" } | { state: "signed in"; user: CurrentUser };

export const SessionContext = createContext<Session | undefined>(undefined);

/** Whether somebody is signed in here, and who. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be used within a SessionProvider");
  return session;
}

/** The signed-in person; for screens that are only reached signed in. */
export function useUser(): CurrentUser {
  const session = useSession();
  if (session.state !== "signed in") throw new Error("useUser must be used where somebody is signed in");
  return session.user;
}
