import type { IdentityRow, SignedIn } from "./signed-in.ts";

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
