import { RequestError } from "../../../shared/request-error.ts";
import { beginEmailChange, beginPhoneChange } from "./address-change.ts";
import { addSignInMethod } from "./confirm.ts";
import type { AuthContext } from "./context.ts";
import { readerOf } from "./deliveries.ts";
import { requireSecondFactor } from "./factors/factors.ts";
import { spendMessage } from "./message-limits.ts";
import type { MessageRequest } from "./message-request.ts";
import { checkNonce } from "./reauthenticate.ts";
import { signOut } from "./sessions.ts";
import { findSignedIn, type SignedIn, sessionEnded } from "./signed-in.ts";

interface AccountChange {
  password?: string;
  /** The confirmation code that an older session needs to set a new password. */
  nonce?: string;
  email?: string;
  phone?: string;
  /** User metadata to merge. A null value removes its key. */
  data?: Record<string, unknown>;
}

/** The maximum age of a session that may set a new password without further proof. */
const FRESH_HOURS = 24;

/** Changes metadata, password and addresses in one transaction. A new password ends the other sessions. */
export async function changeAccount(
  auth: AuthContext,
  person: SignedIn,
  change: AccountChange,
  request: MessageRequest,
) {
  const { data = {} } = change;
  const email = change.email === person.email?.toLowerCase() ? undefined : change.email;
  const phone = change.phone === person.phone ? undefined : change.phone;
  requireSecondFactor(person, "update the account");
  const hash = change.password === undefined ? null : await newHash(auth, person, change.password, change.nonce);
  if (email && person.email) await spendMessage(auth, { email: person.email });
  if (email) await spendMessage(auth, { email });
  if (phone) await spendMessage(auth, { phone });
  const removedKeys = Object.keys(data).filter((key) => data[key] === null);
  return auth.db.transaction(async (tx) => {
    await tx.query(
      `update auth.users set
         raw_user_meta_data = (raw_user_meta_data || $2::jsonb) - $3::text[],
         encrypted_password = coalesce($4, encrypted_password),
         updated_at = now()
       where id = $1`,
      [person.id, data, removedKeys, hash],
    );
    if (email) await beginEmailChange(auth, tx, person.id, email, request);
    if (phone) await beginPhoneChange(auth, tx, person.id, phone, request);
    if (hash) await signOut(tx, person, "others");
    // With a password, an account of another provider can also sign in by its email address.
    if (hash && person.email && person.email_confirmed_at)
      await addSignInMethod(tx, person.id, { email: person.email });
    if (hash && person.email_confirmed_at) {
      await auth.messages.mail(tx, {
        to: person.email ?? "",
        reader: readerOf(person, request.device),
        template: "password-changed",
        props: { at: new Date().toISOString() },
      });
    }
    const updatedAccount = await findSignedIn(tx, person.session_id);
    if (!updatedAccount) throw sessionEnded();
    return updatedAccount;
  });
}

async function newHash(auth: AuthContext, person: SignedIn, password: string, nonce: string | undefined) {
  const { db, passwords } = auth;
  const hash = await passwords.hash(password);
  const { rows } = await db.query<{ encrypted_password: string | null; fresh: boolean }>(
    `select u.encrypted_password, s.created_at > now() - make_interval(hours => $3) as fresh
     from auth.users u join auth.sessions s on s.user_id = u.id where u.id = $1 and s.id = $2`,
    [person.id, person.session_id, FRESH_HOURS],
  );
  // Someone who finds a signed-in device must not be able to lock its owner out.
  if (!rows[0]?.fresh) {
    if (nonce === undefined) {
      throw new RequestError("reauthentication_needed");
    }
    await checkNonce(auth, person, nonce);
  }
  if (await passwords.matches(password, rows[0]?.encrypted_password)) {
    throw new RequestError("same_password");
  }
  return hash;
}
