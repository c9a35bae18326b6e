import { createHmac, randomUUID } from "node:crypto";
import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { type Account, addressOf, findAccount, isConfirmed, lockAccountOf } from "./account.ts";
import { confirmAddress } from "./confirm.ts";
import type { AuthContext } from "./context.ts";
import { sendSignIn, sendWelcome } from "./deliveries.ts";
import type { Device, Grant } from "./grant.ts";
import type { Login } from "./logins.ts";
import { spendMessage } from "./message-limits.ts";
import type { MessageRequest } from "./message-request.ts";
import { insertAccount, providerOf } from "./new-account.ts";
import { openSession } from "./sessions.ts";

export interface NewPerson {
  login: Login;
  password: string;
  /** The user's metadata; up to 8 KB. */
  data: Record<string, unknown>;
}

/** Creates an account and its first session in one transaction. */
export async function signUp(auth: AuthContext, { login, password, data }: NewPerson, device: Device): Promise<Grant> {
  const passwordHash = await auth.passwords.hash(password);
  return auth.db.transaction(async (tx) => {
    const newAccount = await insertAccount(tx, { login, passwordHash, data, confirmed: true });
    const account = newAccount ?? (await claimUnconfirmed(auth, tx, { login, passwordHash, data }, device));
    // The error may reveal an existing account: a new address gets a session, so the response reveals it anyway.
    if (!account) throw new RequestError("user_already_exists");
    if (newAccount) await sendWelcome(auth, tx, newAccount, device);
    return openSession(auth, tx, account.id, "password", device);
  });
}

/** Creates an unconfirmed account. An existing one gets a sign-in link. The same response hides which case applies. */
export async function sendSignUp(auth: AuthContext, person: NewPerson, message: MessageRequest) {
  const { login, password, data } = person;
  await spendMessage(auth, login);
  const passwordHash = await auth.passwords.hash(password);
  const id = await auth.db.transaction(async (tx) => {
    const newAccount = await insertAccount(tx, { login, passwordHash, data, confirmed: false });
    const account = newAccount ?? (await lockAccountOf(tx, login));
    // The account was deleted between the two queries; the client may try again.
    if (!account) throw new RequestError("conflict");
    if (isConfirmed(account, login)) {
      await sendSignIn(auth, tx, account, "magiclink", message);
      return fakeId(auth, login);
    }
    await sendSignIn(auth, tx, newAccount ?? (await renew(tx, account, { passwordHash, data })), "signup", message);
    return account.id;
  });
  return pendingUserJson(id, person);
}

interface Claim extends Omit<NewPerson, "password"> {
  passwordHash: string;
}

/** Replaces an unconfirmed account's data, e.g. after an unused code. Resolves to undefined if it is confirmed. */
async function claimUnconfirmed(auth: AuthContext, tx: Transaction, claim: Claim, device: Device) {
  const account = await lockAccountOf(tx, claim.login);
  if (!account || isConfirmed(account, claim.login)) return undefined;
  await renew(tx, account, claim);
  return confirmAddress(auth, tx, account.id, claim.login, device);
}

/** Replaces an unconfirmed account's data. Nobody owns the account, so the newest sign-up's data counts. */
async function renew(tx: Transaction, account: Account, { passwordHash, data }: Omit<Claim, "login">) {
  await tx.query(
    "update auth.users set encrypted_password = $2, raw_user_meta_data = $3, updated_at = now() where id = $1",
    [account.id, passwordHash, data],
  );
  return (await findAccount(tx, account.id)) ?? account;
}

/** Returns a fake user id. Like a real one, it is the same for each request with this address. */
function fakeId(auth: AuthContext, login: Login): string {
  const hex = createHmac("sha256", auth.codeSecret)
    .update(`user ${addressOf(login)}`)
    .digest("hex");
  // The fixed bits of a version 4 UUID.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns an unconfirmed user, built from the request alone: the same for new and known addresses. */
function pendingUserJson(id: string, { login, data }: NewPerson) {
  const now = new Date();
  const provider = providerOf(login);
  const times = { last_sign_in_at: now, created_at: now, updated_at: now };
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email: login.email ?? "",
    phone: login.phone ?? "",
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: data,
    identities: [
      {
        identity_id: randomUUID(),
        id,
        user_id: id,
        identity_data: { sub: id, ...login, email_verified: false, phone_verified: false },
        provider,
        email: login.email,
        ...times,
      },
    ],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
