import { randomUUID } from "node:crypto";
import { Refusal } from "../../../shared/refusal.ts";
import type { Database, Transaction } from "../../database/database.ts";
import type { Device, Grant } from "./grant.ts";
import type { Passwords } from "./passwords.ts";
import type { Login } from "./requests.ts";
import { openSession, signOut } from "./sessions.ts";
import { findSignedIn, type SignedIn, sessionEnded } from "./signed-in.ts";

interface NewAccount {
  login: Login;
  password: string;
  /** What the person tells about themselves; up to 8 KB. */
  data: Record<string, unknown>;
}

/** Makes an account and signs its person in: all of it, or nothing. */
export async function signUp(db: Database, passwords: Passwords, account: NewAccount, device: Device): Promise<Grant> {
  const { login, password, data } = account;
  const hash = await passwords.hash(password);
  return db.transaction(async (tx) => {
    const id = randomUUID();
    if (!(await insertUser(tx, id, login, hash, data))) {
      // Told openly: the session that every new address gets at once would tell it all the same.
      throw new Refusal(422, "User already registered", "user_already_exists");
    }
    await insertIdentity(tx, id, login);
    return openSession(tx, id, "password", device);
  });
}

async function insertUser(tx: Transaction, id: string, login: Login, hash: string, data: Record<string, unknown>) {
  const provider = providerOf(login);
  // Addresses count as confirmed at once, as `mailer_autoconfirm` in /settings says: nothing here sends mail or SMS.
  const { changed } = await tx.query(
    `insert into auth.users
       (id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, raw_app_meta_data, raw_user_meta_data)
     values ($1, $2, $3, $4, case when $2::text is not null then now() end, case when $3::text is not null then now() end,
       $5, $6)
     on conflict do nothing`,
    [id, login.email ?? null, login.phone ?? null, hash, { provider, providers: [provider] }, data],
  );
  return changed === 1;
}

async function insertIdentity(tx: Transaction, userId: string, login: Login) {
  const identity = {
    sub: userId,
    ...login,
    email_verified: Boolean(login.email),
    phone_verified: Boolean(login.phone),
  };
  await tx.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1::uuid::text, $1::uuid, $2, $3, now())`,
    [userId, identity, providerOf(login)],
  );
}

const providerOf = (login: Login) => (login.email === undefined ? "phone" : "email");

/** Signs a person in; an unknown address and a wrong password get the same answer in the same time. */
export async function signIn(
  db: Database,
  passwords: Passwords,
  { login, password }: { login: Login; password: string },
  device: Device,
): Promise<Grant> {
  const { rows } = await db.query<{ id: string; encrypted_password: string | null }>(
    `select id, encrypted_password from auth.users
     where lower(email) = lower($1) and not is_sso_user or phone = $2`,
    [login.email ?? null, login.phone ?? null],
  );
  const matches = await passwords.matches(password, rows[0]?.encrypted_password);
  if (!rows[0] || !matches) throw new Refusal(400, "Invalid login credentials", "invalid_credentials");
  const { id } = rows[0];
  return db.transaction((tx) => openSession(tx, id, "password", device));
}

interface AccountChange {
  password?: string;
  /** Merged into what is there; a key set to null is taken out. */
  data?: Record<string, unknown>;
}

/** Changes a person's metadata, password or both. A new password ends their sessions on other devices. */
export async function changeAccount(
  db: Database,
  passwords: Passwords,
  person: SignedIn,
  { password, data = {} }: AccountChange,
): Promise<SignedIn> {
  const hash = password === undefined ? null : await newHash(db, passwords, person.id, password);
  const removed = Object.keys(data).filter((key) => data[key] === null);
  return db.transaction(async (tx) => {
    await tx.query(
      `update auth.users set
         raw_user_meta_data = (raw_user_meta_data || $2::jsonb) - $3::text[],
         encrypted_password = coalesce($4, encrypted_password),
         updated_at = now()
       where id = $1`,
      [person.id, data, removed, hash],
    );
    if (hash) await signOut(tx, person, "others");
    const changed = await findSignedIn(tx, person.session_id);
    if (!changed) throw sessionEnded();
    return changed;
  });
}

async function newHash(db: Database, passwords: Passwords, userId: string, password: string): Promise<string> {
  const hash = await passwords.hash(password);
  const { rows } = await db.query<{ encrypted_password: string | null }>(
    "select encrypted_password from auth.users where id = $1",
    [userId],
  );
  if (await passwords.matches(password, rows[0]?.encrypted_password)) {
    throw new Refusal(422, "New password should be different from the old password.", "same_password");
  }
  return hash;
}
