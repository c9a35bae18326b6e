import { Refusal } from "../../../shared/refusal.ts";
import type { Transaction } from "../../database/database.ts";
import type { Identify } from "../callers.ts";

/** A person's account and one session of theirs, as the database has them. */
export interface SignedIn {
  session_id: string;
  /** How they proved who they are, and when, in seconds since 1970. */
  amr: { method: string; timestamp: number }[];
  aal: string;
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown>;
  raw_user_meta_data: Record<string, unknown>;
  is_anonymous: boolean;
  created_at: Date;
  updated_at: Date;
  identities: IdentityRow[];
}

/** Read as JSON inside another row, so its times are text. */
export interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Record<string, unknown>;
  provider: string;
  email: string | null;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The person of a session, or undefined where the session has ended. */
export async function findSignedIn(tx: Transaction, sessionId: string): Promise<SignedIn | undefined> {
  const { rows } = await tx.query<SignedIn>(
    `select s.id as session_id, s.aal, u.id, u.aud, u.role, u.email, u.phone, u.email_confirmed_at,
       u.phone_confirmed_at, u.confirmed_at, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data,
       u.is_anonymous, u.created_at, u.updated_at,
       (select coalesce(jsonb_agg(jsonb_build_object('method', a.authentication_method,
                 'timestamp', floor(extract(epoch from a.created_at))::bigint) order by a.created_at desc), '[]')
        from auth.mfa_amr_claims a where a.session_id = s.id) as amr,
       (select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at), '[]')
        from auth.identities i where i.user_id = u.id) as identities
     from auth.sessions s join auth.users u on u.id = s.user_id
     where s.id = $1`,
    [sessionId],
  );
  return rows[0];
}

/** The person whose token this is, with their session, which must not have ended since the token was made. */
export async function requireSignedIn(
  db: Transaction,
  identify: Identify,
  authorization: string | undefined,
): Promise<SignedIn> {
  const { role, sub, session_id: sessionId } = await identify({ authorization });
  if (role !== "authenticated" || typeof sessionId !== "string") {
    throw new Refusal(401, "This endpoint requires a valid Bearer token", "no_authorization");
  }
  const person = await findSignedIn(db, sessionId);
  if (!person || person.id !== sub) throw sessionEnded();
  return person;
}

export const sessionEnded = () =>
  new Refusal(403, "Session from session_id claim in JWT does not exist", "session_not_found");
