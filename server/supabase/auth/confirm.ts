import { RequestError } from "../../../shared/request-error.ts";
import { typedAddress } from "../../../shared/typed-address.ts";
import { isSqlError, type Transaction } from "../../database/database.ts";
import { type Account, findAccount, isConfirmed } from "./account.ts";
import type { AuthContext } from "./context.ts";
import { sendWelcome } from "./deliveries.ts";
import type { Device } from "./grant.ts";
import type { Login } from "./logins.ts";
import { providerOf, storeIdentity, storeProviders } from "./new-account.ts";
import type { OneTimeToken } from "./one-time-tokens.ts";

/** Applies a token's effect. Resolves to undefined while an email change lacks the other address's confirmation. */
export async function fulfil(
  auth: AuthContext,
  tx: Transaction,
  token: OneTimeToken,
  device: Device,
): Promise<Account | undefined> {
  const account = await findAccount(tx, token.user_id, true);
  if (!account) throw new Error("A token outlived its account");
  switch (token.token_type) {
    case "confirmation_token":
    case "recovery_token": {
      const login = loginOf(account, token.relates_to);
      if (isConfirmed(account, login)) return account;
      // Somebody else may have set a password before the address was confirmed.
      // Only the confirmation token, which belongs to that sign-up, keeps the password.
      if (token.token_type === "recovery_token") await removePassword(tx, account.id);
      return confirmAddress(auth, tx, account.id, login, device);
    }
    case "email_change_token_current":
    case "email_change_token_new":
      return confirmEmailChange(tx, account);
    case "phone_change_token":
      return changePhone(tx, account);
    case "reauthentication_token":
      throw new Error("A nonce signs nobody in");
  }
}

/** Marks an address as confirmed, and sends the welcome email for the account's first one. */
export async function confirmAddress(
  auth: AuthContext,
  tx: Transaction,
  userId: string,
  login: Login,
  device: Device,
): Promise<Account | undefined> {
  const { rows } = await tx.query<{ first: boolean }>(
    `with before as (select confirmed_at is null as first from auth.users where id = $1)
     update auth.users set
       email_confirmed_at = case when $2 = 'email' then now() else email_confirmed_at end,
       phone_confirmed_at = case when $2 = 'phone' then now() else phone_confirmed_at end, updated_at = now()
     where id = $1 returning (select first from before) as first`,
    [userId, providerOf(login)],
  );
  await storeIdentity(tx, userId, login, true);
  const account = await findAccount(tx, userId);
  if (account && rows[0]?.first) await sendWelcome(auth, tx, account, device);
  return account;
}

const removePassword = (tx: Transaction, userId: string) =>
  tx.query("update auth.users set encrypted_password = null where id = $1", [userId]);

/** Returns the account's email address or phone number, depending on which of them a message was sent to. */
const loginOf = (account: Account, sentTo: string): Login =>
  account.email !== null && typedAddress(account.email) === typedAddress(sentTo)
    ? { email: account.email }
    : { phone: sentTo };

async function confirmEmailChange(tx: Transaction, account: Account): Promise<Account | undefined> {
  // Both addresses must confirm. If the account has no old address, the new one suffices.
  const { rows } = await tx.query<{ agreed: number }>(
    `update auth.users set email_change_confirm_status = email_change_confirm_status + 1 where id = $1
     returning email_change_confirm_status as agreed`,
    [account.id],
  );
  if (account.email !== null && rows[0]?.agreed !== 2) return undefined;
  await unlessTaken("email", () =>
    tx.query(
      `update auth.users set email = email_change, email_change = '', email_change_confirm_status = 0,
         email_confirmed_at = now(), updated_at = now() where id = $1`,
      [account.id],
    ),
  );
  return addSignInMethod(tx, account.id, { email: account.email_change });
}

async function changePhone(tx: Transaction, account: Account): Promise<Account | undefined> {
  await unlessTaken("phone", () =>
    tx.query(
      `update auth.users set phone = phone_change, phone_change = '', phone_confirmed_at = now(), updated_at = now()
       where id = $1`,
      [account.id],
    ),
  );
  return addSignInMethod(tx, account.id, { phone: account.phone_change });
}

/** Adds a newly confirmed address to the account's sign-in methods. */
export async function addSignInMethod(tx: Transaction, userId: string, login: Login): Promise<Account | undefined> {
  await storeIdentity(tx, userId, login, true);
  await storeProviders(tx, userId);
  return findAccount(tx, userId);
}

const NAMES = { email: "email address", phone: "phone number" };

/** Runs a change of address, and refuses it if another account has the address: the database decides a race of two. */
async function unlessTaken(what: "email" | "phone", change: () => Promise<unknown>) {
  await change().catch((error: unknown) => {
    if (!isSqlError(error) || error.code !== "23505") throw error;
    throw new RequestError(`${what}_exists`, {
      message: `A user with this ${NAMES[what]} has already been registered`,
    });
  });
}
