import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import type { Person } from "../providers/provider.ts";

/** Returns a provider's data about a person, under the hosted platform's names. */
const identityData = (person: Person, details: Record<string, unknown>) => ({
  ...details,
  sub: person.subject,
  iss: person.issuer,
  provider_id: person.subject,
  ...(person.email === undefined ? {} : { email: person.email }),
  email_verified: person.emailVerified,
  phone_verified: false,
  ...(person.name === undefined ? {} : { name: person.name, full_name: person.name }),
  ...(person.picture === undefined ? {} : { avatar_url: person.picture, picture: person.picture }),
});

/** A person who signs in with a provider. */
export interface Newcomer {
  /** The provider's name. */
  provider: string;
  person: Person;
  /** Further data to store with the identity. */
  details?: Record<string, unknown>;
}

/**
 * Updates an identity's data, and keeps what the provider did not send: Apple sends a name at the first sign-in only. Resolves to the id
 * of its account; undefined if the identity is unknown.
 */
export async function ownerOf(
  tx: Transaction,
  { provider, person, details = {} }: Newcomer,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>(
    `update auth.identities set identity_data = identity_data || $3, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2 returning user_id`,
    [provider, person.subject, identityData(person, details)],
  );
  return rows[0]?.user_id;
}

/** Adds an account at a provider to the sign-in methods of an account. */
export async function addIdentity(tx: Transaction, userId: string, { provider, person, details = {} }: Newcomer) {
  const { changed } = await tx.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1, $2, $3, $4, now()) on conflict do nothing`,
    [person.subject, userId, identityData(person, details), provider],
  );
  // Of two simultaneous first sign-ins, the second retries and then finds the account.
  if (changed !== 1) throw tryAgain();
}

export const tryAgain = () => new RequestError("conflict");
