import { RequestError } from "../../../shared/request-error.ts";
import { isSqlError, type Transaction } from "../../database/database.ts";
import { ACCOUNT, type Account, findAccount } from "./account.ts";
import type { AdminUser } from "./admin-requests.ts";
import { invalid } from "./bodies.ts";
import { addSignInMethod } from "./confirm.ts";
import type { AuthContext } from "./context.ts";
import { checkEmail, type Login } from "./logins.ts";
import { insertAccount } from "./new-account.ts";

/** Resolves to one page of accounts, newest first, and to the total number of accounts. */
export async function listAccounts({ db }: AuthContext, { page, perPage }: { page: number; perPage: number }) {
  const { rows } = await db.query<Account>(
    `select ${ACCOUNT} from auth.users u order by u.created_at desc, u.id limit $1 offset $2`,
    [perPage, (page - 1) * perPage],
  );
  const total = await db.query<{ total: number }>("select count(*) as total from auth.users");
  return { accounts: rows, total: total.rows[0]?.total ?? 0 };
}

export async function requireAccount(tx: Transaction, id: string): Promise<Account> {
  const account = await findAccount(tx, id);
  if (!account) throw new RequestError("user_not_found");
  return account;
}

/** Creates an account. It is unconfirmed unless the request confirms its address. */
export async function createAccount(auth: AuthContext, user: AdminUser): Promise<Account> {
  const { id, email, phone, password } = user;
  if (!email && !phone) throw invalid("Cannot create a user without either an email or phone");
  const passwordHash = password ? await auth.passwords.hash(password) : null;
  const login: Login = email ? { email } : { phone: phone ?? "" };
  const confirmed = email ? user.confirmEmail : user.confirmPhone;
  return auth.db.transaction(async (tx) => {
    const newAccount = await insertAccount(tx, { id, login, passwordHash, data: user.userMetadata, confirmed });
    if (!newAccount) throw email ? exists("email") : exists("phone");
    // The other fields are set in the same way as by a later change.
    return applyChange(tx, newAccount.id, { ...user, email: undefined, userMetadata: {} }, null);
  });
}

/** Changes an account without confirmation emails. A new password or a ban ends all of its sessions. */
export async function updateAccount(auth: AuthContext, id: string, user: AdminUser): Promise<Account> {
  const passwordHash = user.password ? await auth.passwords.hash(user.password) : null;
  return auth.db.transaction(async (tx) => {
    await requireAccount(tx, id);
    return applyChange(tx, id, user, passwordHash);
  });
}

async function applyChange(
  tx: Transaction,
  id: string,
  user: Partial<AdminUser> & Pick<AdminUser, "confirmEmail" | "confirmPhone" | "userMetadata" | "appMetadata">,
  passwordHash: string | null,
) {
  const { email, phone, banSeconds, appMetadata, userMetadata } = user;
  const nulls = (data: Record<string, unknown>) => Object.keys(data).filter((key) => data[key] === null);
  await tx
    .query(
      `update auth.users set
         email = coalesce($2, email),
         email_confirmed_at = case when $3 then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
         phone = coalesce($4, phone),
         phone_confirmed_at = case when $5 then coalesce(phone_confirmed_at, now()) else phone_confirmed_at end,
         encrypted_password = coalesce($6, encrypted_password),
         raw_user_meta_data = (raw_user_meta_data || $7::jsonb) - $8::text[],
         raw_app_meta_data = (raw_app_meta_data || $9::jsonb) - $10::text[],
         banned_until = case when $11::bigint is null then banned_until
           when $11 > 0 then now() + make_interval(secs => $11) end,
         updated_at = now()
       where id = $1`,
      [
        id,
        email ?? null,
        user.confirmEmail,
        phone ?? null,
        user.confirmPhone,
        passwordHash,
        userMetadata,
        nulls(userMetadata),
        appMetadata,
        nulls(appMetadata),
        banSeconds ?? null,
      ],
    )
    .catch((error: unknown) => {
      if (!isSqlError(error) || error.code !== "23505") throw error;
      throw error.constraint === "users_email_key" ? exists("email") : exists("phone");
    });
  if (passwordHash || banSeconds) await tx.query("delete from auth.sessions where user_id = $1", [id]);
  if (email) await addSignInMethod(tx, id, { email });
  if (phone) await addSignInMethod(tx, id, { phone });
  return requireAccount(tx, id);
}

/** Sets an account's address without a confirmation. */
export const changeAddress = (tx: Transaction, id: string, email: string): Promise<Account> =>
  applyChange(
    tx,
    id,
    { email: checkEmail(email), confirmEmail: true, confirmPhone: false, userMetadata: {}, appMetadata: {} },
    null,
  );

export async function deleteAccount(tx: Transaction, id: string): Promise<void> {
  const { changed } = await tx.query("delete from auth.users where id = $1", [id]);
  if (changed !== 1) throw new RequestError("user_not_found");
}

const exists = (what: "email" | "phone") =>
  what === "email" ? new RequestError("email_exists") : new RequestError("phone_exists");
