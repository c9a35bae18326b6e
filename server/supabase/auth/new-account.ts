import { randomUUID } from "node:crypto";
import type { Transaction } from "../../database/database.ts";
import { type Account, findAccount } from "./account.ts";
import type { Login } from "./logins.ts";

interface NewAccount {
  id?: string;
  login: Login;
  /** Null for an account without a password. */
  passwordHash: string | null;
  /** The user's metadata; up to 8 KB. */
  data: Record<string, unknown>;
  /** Whether the address is confirmed. */
  confirmed: boolean;
}

/** Creates an account with one address. Resolves to undefined if an account with it exists. */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<Account | undefined> {
  const { id = randomUUID(), login, passwordHash, data, confirmed } = account;
  const provider = providerOf(login);
  const { changed } = await tx.query(
    `insert into auth.users
       (id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, raw_app_meta_data, raw_user_meta_data)
     values ($1, $2, $3, $4, case when $7 and $2::text is not null then now() end,
       case when $7 and $3::text is not null then now() end, $5, $6)
     on conflict do nothing`,
    [id, login.email ?? null, login.phone ?? null, passwordHash, { provider, providers: [provider] }, data, confirmed],
  );
  if (changed !== 1) return undefined;
  await storeIdentity(tx, id, login, confirmed);
  return findAccount(tx, id);
}

/** Adds an address to the sign-in methods of an account, or updates its data. */
export async function storeIdentity(tx: Transaction, userId: string, login: Login, confirmed: boolean) {
  const identity = {
    sub: userId,
    ...login,
    email_verified: confirmed && login.email !== undefined,
    phone_verified: confirmed && login.phone !== undefined,
  };
  await tx.query(
    `insert into auth.identities as known (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1::uuid::text, $1::uuid, $2, $3, now())
     on conflict (provider_id, provider) do update set
       identity_data = known.identity_data || excluded.identity_data, updated_at = now()`,
    [userId, identity, providerOf(login)],
  );
}

/** Writes the providers of an account's sign-in methods into its app metadata, for its tokens. */
export async function storeProviders(tx: Transaction, userId: string) {
  await tx.query(
    `update auth.users u set updated_at = now(), raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers',
       (select jsonb_agg(distinct provider) from auth.identities i where i.user_id = u.id)) where id = $1`,
    [userId],
  );
}

export const providerOf = (login: Login) => (login.email === undefined ? "phone" : "email");
