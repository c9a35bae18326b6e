import type { Transaction } from "../../database/database.ts";

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
interface IdentityRow {
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

/** The claims of an access token, under the hosted platform's names. */
export const claimsOf = (person: SignedIn) => ({
  sub: person.id,
  aud: person.aud,
  role: person.role,
  email: person.email ?? "",
  phone: person.phone ?? "",
  app_metadata: person.raw_app_meta_data,
  user_metadata: person.raw_user_meta_data,
  session_id: person.session_id,
  aal: person.aal,
  amr: person.amr,
  is_anonymous: person.is_anonymous,
});

/** A user as the protocol shows them: what is not set is left out. */
export const userJson = (person: SignedIn) => ({
  id: person.id,
  aud: person.aud,
  role: person.role,
  email: person.email ?? "",
  email_confirmed_at: person.email_confirmed_at ?? undefined,
  phone: person.phone ?? "",
  phone_confirmed_at: person.phone_confirmed_at ?? undefined,
  confirmed_at: person.confirmed_at ?? undefined,
  last_sign_in_at: person.last_sign_in_at ?? undefined,
  app_metadata: person.raw_app_meta_data,
  user_metadata: person.raw_user_meta_data,
  identities: person.identities.map(identityJson),
  created_at: person.created_at,
  updated_at: person.updated_at,
  is_anonymous: person.is_anonymous,
});

// The protocol's `id` is the provider's name for the person; ours is `identity_id`.
const identityJson = (row: IdentityRow) => ({
  identity_id: row.id,
  id: row.provider_id,
  user_id: row.user_id,
  identity_data: row.identity_data,
  provider: row.provider,
  email: row.email ?? undefined,
  last_sign_in_at: row.last_sign_in_at === null ? undefined : new Date(row.last_sign_in_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
});
