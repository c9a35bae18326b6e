import { randomUUID } from "node:crypto";
import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import { type Account, findAccount, isBanned, isConfirmed, lockAccountOf } from "../account.ts";
import type { AuthContext } from "../context.ts";
import { sendWelcome } from "../deliveries.ts";
import type { Device } from "../grant.ts";
import { storeProviders } from "../new-account.ts";
import type { Person } from "../providers/provider.ts";
import { addIdentity, type Newcomer, ownerOf, tryAgain } from "./user-identities.ts";

/**
 * Resolves to the id of the account for a provider's sign-in: the linked account, the one with the same address if both
 * sides have verified it, or a new one.
 */
export async function resolveAccount(
  auth: AuthContext,
  tx: Transaction,
  newcomer: Newcomer,
  device: Device,
): Promise<string> {
  const id = (await ownerOf(tx, newcomer)) ?? (await findOrCreateAccount(auth, tx, newcomer, device));
  const account = await findAccount(tx, id, true);
  if (!account || isBanned(account)) throw new RequestError("user_banned");
  return id;
}

/** Finds or creates the account for a first sign-in. */
async function findOrCreateAccount(
  auth: AuthContext,
  tx: Transaction,
  newcomer: Newcomer,
  device: Device,
): Promise<string> {
  const { email, emailVerified } = newcomer.person;
  if (email === undefined) return create(auth, tx, newcomer, device);
  // An unverified address gets no account: the person may have entered someone else's address at the provider.
  if (!emailVerified) throw unverified(newcomer.provider);
  const account = await lockAccountOf(tx, { email });
  if (!account) return create(auth, tx, newcomer, device);
  if (!isConfirmed(account, { email })) await takeOver(auth, tx, account, newcomer.person, device);
  await addIdentity(tx, account.id, newcomer);
  await storeProviders(tx, account.id);
  return account.id;
}

export const unverified = (provider: string) =>
  new RequestError("provider_email_needs_verification", {
    message: `Unverified email with ${provider}. Verify it there first`,
  });

async function create(auth: AuthContext, tx: Transaction, newcomer: Newcomer, device: Device): Promise<string> {
  const { provider, person } = newcomer;
  const id = randomUUID();
  const { changed } = await tx.query(
    `insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
     values ($1, $2, case when $2::text is not null then now() end, $3, $4) on conflict do nothing`,
    [id, person.email ?? null, { provider, providers: [provider] }, metadataOf(person)],
  );
  if (changed !== 1) throw tryAgain();
  await addIdentity(tx, id, newcomer);
  const account = await findAccount(tx, id);
  if (account) await sendWelcome(auth, tx, account, device);
  return id;
}

/** Gives an unconfirmed account to the verified owner of its address, without its earlier password and metadata. */
async function takeOver(auth: AuthContext, tx: Transaction, account: Account, person: Person, device: Device) {
  if (account.confirmed_at !== null || account.last_sign_in_at !== null) {
    throw new RequestError("email_exists", { message: "An account with this address exists and has not confirmed it" });
  }
  await tx.query("delete from auth.identities where user_id = $1", [account.id]);
  await tx.query("delete from auth.one_time_tokens where user_id = $1", [account.id]);
  await tx.query(
    `update auth.users set encrypted_password = null, email_confirmed_at = now(), phone = null,
       raw_user_meta_data = $2, updated_at = now() where id = $1`,
    [account.id, metadataOf(person)],
  );
  await sendWelcome(auth, tx, { ...account, raw_user_meta_data: metadataOf(person) }, device);
}

/** Returns a provider's data as metadata for a new account. Later changes at the provider do not overwrite it. */
const metadataOf = ({ name, picture }: Person): Record<string, unknown> => ({
  ...(name === undefined ? {} : { full_name: name, name }),
  ...(picture === undefined ? {} : { avatar_url: picture }),
});
