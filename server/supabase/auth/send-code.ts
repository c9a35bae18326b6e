import type { Transaction } from "../../database/database.ts";
import { ACCOUNT, type Account, isBanned, isConfirmed, lockAccountOf } from "./account.ts";
import { isTaken } from "./address-change.ts";
import type { AuthContext } from "./context.ts";
import { sendEmailChange, sendPhoneChange, sendSignIn } from "./deliveries.ts";
import type { Login } from "./logins.ts";
import { spendMessage } from "./message-limits.ts";
import type { MessageRequest } from "./message-request.ts";
import { insertAccount } from "./new-account.ts";

// The response is the same whether or not a message was sent, so it reveals nothing.

/** Sends a link and code for sign-in without a password. With `createUser`, a new address gets an account first. */
export async function sendCode(
  auth: AuthContext,
  { login, createUser, data }: { login: Login; createUser: boolean; data: Record<string, unknown> },
  message: MessageRequest,
) {
  await spendMessage(auth, login);
  await auth.db.transaction(async (tx) => {
    const fresh = createUser && (await insertAccount(tx, { login, passwordHash: null, data, confirmed: false }));
    const account = fresh || (await lockAccountOf(tx, login));
    if (account && !isBanned(account)) await sendSignIn(auth, tx, account, "magiclink", message);
  });
}

/** Sends a link and code for setting a new password. */
export async function sendRecovery(auth: AuthContext, login: Login, message: MessageRequest) {
  await spendMessage(auth, login);
  await auth.db.transaction(async (tx) => {
    const account = await lockAccountOf(tx, login);
    if (account && !isBanned(account)) await sendSignIn(auth, tx, account, "recovery", message);
  });
}

type Resent = "signup" | "sms" | "email_change" | "phone_change";

/** Sends the pending message for an address again. */
export async function resendMessage(
  auth: AuthContext,
  { type, login }: { type: Resent; login: Login },
  message: MessageRequest,
) {
  await spendMessage(auth, login);
  await auth.db.transaction(async (tx) => {
    if (type === "signup" || type === "sms") {
      const account = await lockAccountOf(tx, login);
      if (account && !isConfirmed(account, login)) await sendSignIn(auth, tx, account, "signup", message);
      return;
    }
    const account = await lockChangingAccount(tx, login);
    if (!account) return;
    if (type === "phone_change") await sendPhoneChange(auth, tx, account, message.device);
    else await sendEmailChange(auth, tx, account, { taken: await isTaken(tx, account), message });
  });
}

/** Locks the account of a pending address change, found by its current address or, if it has none, by the new one. */
async function lockChangingAccount(tx: Transaction, { email, phone }: Login): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT} from auth.users u
     where email_change <> '' and (lower(email) = $1 or email is null and lower(email_change) = $1)
        or phone_change <> '' and (phone = $2 or phone is null and phone_change = $2)
     order by greatest(email_change_sent_at, phone_change_sent_at) desc limit 1 for update`,
    [email ?? null, phone ?? null],
  );
  return rows[0];
}
