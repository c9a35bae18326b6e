import type { Caller } from "../database/as-caller.ts";

/** The claims of a session's tokens that can become untrue while a token lives. */
export interface PresentClaims {
  aal: string;
  email: string;
  phone: string;
  app_metadata: Record<string, unknown>;
}

/** Selects {@link PresentClaims} of the open sessions `s` of accounts `u`. A banned account has no open session. */
export const OPEN_SESSIONS = `s.aal, coalesce(u.email, '') as email, coalesce(u.phone, '') as phone,
    u.raw_app_meta_data as app_metadata
  from auth.sessions s join auth.users u on u.id = s.user_id
  where coalesce(s.not_after > now(), true) and coalesce(u.banned_until <= now(), true)`;

/**
 * Returns a caller whose claims are true now. A claim that the token lacks is not added, and a token from before the
 * second factor stays at its level.
 */
export function withPresentClaims(caller: Caller, { aal, email, phone, app_metadata }: PresentClaims): Caller {
  const present: Record<string, unknown> = {
    aal: caller.aal === "aal2" ? aal : caller.aal,
    email,
    phone,
    app_metadata,
  };
  const replaced = Object.entries(present).filter(([claim]) => claim in caller);
  return { ...caller, ...Object.fromEntries(replaced) };
}
