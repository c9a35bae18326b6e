import type { Account, FactorRow, IdentityRow } from "./account.ts";
import type { SignedIn } from "./signed-in.ts";

/** Returns the claims of an access token, under the hosted platform's names. */
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

/** Returns a user in the protocol's format. Unset fields are left out. */
export const userJson = (account: Account) => ({
  id: account.id,
  aud: account.aud,
  role: account.role,
  email: account.email ?? "",
  email_confirmed_at: account.email_confirmed_at ?? undefined,
  phone: account.phone ?? "",
  phone_confirmed_at: account.phone_confirmed_at ?? undefined,
  confirmed_at: account.confirmed_at ?? undefined,
  invited_at: account.invited_at ?? undefined,
  confirmation_sent_at: account.confirmation_sent_at ?? undefined,
  recovery_sent_at: account.recovery_sent_at ?? undefined,
  reauthentication_sent_at: account.reauthentication_sent_at ?? undefined,
  new_email: account.email_change || undefined,
  email_change_sent_at: account.email_change_sent_at ?? undefined,
  new_phone: account.phone_change || undefined,
  phone_change_sent_at: account.phone_change_sent_at ?? undefined,
  last_sign_in_at: account.last_sign_in_at ?? undefined,
  banned_until: account.banned_until ?? undefined,
  app_metadata: account.raw_app_meta_data,
  user_metadata: account.raw_user_meta_data,
  identities: account.identities.map(identityJson),
  factors: account.factors.length > 0 ? account.factors.map(factorJson) : undefined,
  created_at: account.created_at,
  updated_at: account.updated_at,
  is_anonymous: account.is_anonymous,
});

// The protocol's `id` is the person's id at the provider. The row's own id is `identity_id`.
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

export const factorJson = (row: FactorRow) => ({
  id: row.id,
  friendly_name: row.friendly_name ?? undefined,
  factor_type: row.factor_type,
  status: row.status,
  phone: row.phone ?? undefined,
  last_challenged_at: row.last_challenged_at === null ? undefined : new Date(row.last_challenged_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
});
