import type { Transaction } from "../../database/database.ts";
import { type Account, findAccount } from "./account.ts";
import type { AuthContext } from "./context.ts";
import { sendEmailChange, sendPhoneChange } from "./deliveries.ts";
import type { MessageRequest } from "./message-request.ts";

/** Begins a change of email address. The response is the same for a taken address, so it reveals no account. */
export async function beginEmailChange(
  auth: AuthContext,
  tx: Transaction,
  id: string,
  email: string,
  message: MessageRequest,
) {
  await tx.query(
    `update auth.users set email_change = $2, email_change_sent_at = now(), email_change_confirm_status = 0 where id = $1`,
    [id, email],
  );
  // Confirmations of an earlier change must not count for this one.
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and token_type::text like 'email_change%'", [id]);
  const account = await findAccount(tx, id);
  if (account) await sendEmailChange(auth, tx, account, { taken: await isTaken(tx, account), message });
}

/** Begins a change of phone number. A code texted to the new number confirms it. */
export async function beginPhoneChange(
  auth: AuthContext,
  tx: Transaction,
  id: string,
  phone: string,
  message: MessageRequest,
) {
  await tx.query("update auth.users set phone_change = $2, phone_change_sent_at = now() where id = $1", [id, phone]);
  const account = await findAccount(tx, id);
  const accounts = await tx.query("select from auth.users where phone = $1 and id <> $2", [phone, id]);
  if (account && accounts.rows.length === 0) await sendPhoneChange(auth, tx, account, message.device);
}

/** Whether an account's new email address belongs to another account. */
export async function isTaken(tx: Transaction, { id, email_change }: Account): Promise<boolean> {
  const { rows } = await tx.query(
    "select from auth.users where lower(email) = lower($1) and not is_sso_user and id <> $2",
    [email_change, id],
  );
  return rows.length > 0;
}
