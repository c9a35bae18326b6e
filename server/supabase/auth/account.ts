import type { Transaction } from "../../database/database.ts";
import type { Login } from "./logins.ts";

/** An account with its sign-in methods, as stored. */
export interface Account {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  /** The pending new address, which still needs confirmation; empty if there is none. */
  email_change: string;
  email_change_sent_at: Date | null;
  phone_change: string;
  phone_change_sent_at: Date | null;
  last_sign_in_at: Date | null;
  banned_until: Date | null;
  raw_app_meta_data: Record<string, unknown>;
  raw_user_meta_data: Record<string, unknown>;
  is_anonymous: boolean;
  created_at: Date;
  updated_at: Date;
  identities: IdentityRow[];
  factors: FactorRow[];
}

/** Selected as JSON, so its times are text. */
export interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Record<string, unknown>;
  provider: string;
  email: string | null;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The public fields of a second factor. Selected as JSON, so its times are text. */
export interface FactorRow {
  id: string;
  friendly_name: string | null;
  factor_type: "totp" | "phone";
  status: "unverified" | "verified";
  phone: string | null;
  last_challenged_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The columns of {@link Account}, selected from `auth.users u`. */
export const ACCOUNT = `u.id, u.aud, u.role, u.email, u.phone, u.email_confirmed_at, u.phone_confirmed_at, u.confirmed_at,
  u.invited_at, u.confirmation_sent_at, u.recovery_sent_at, u.reauthentication_sent_at, u.email_change,
  u.email_change_sent_at, u.phone_change, u.phone_change_sent_at, u.last_sign_in_at, u.banned_until,
  u.raw_app_meta_data, u.raw_user_meta_data, u.is_anonymous, u.created_at, u.updated_at,
  (select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at), '[]')
   from auth.identities i where i.user_id = u.id) as identities,
  (select coalesce(jsonb_agg(to_jsonb(f) - '{secret,last_step}'::text[] order by f.created_at), '[]')
   from auth.mfa_factors f where f.user_id = u.id) as factors`;

/** Resolves to an account by its id. `lock` locks the row until the transaction ends. */
export async function findAccount(tx: Transaction, id: string, lock = false): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT} from auth.users u where u.id = $1 ${lock ? "for update" : ""}`,
    [id],
  );
  return rows[0];
}

/**
 * SQL condition on `auth.users u`: the address is `$1`, in the stored form, or the phone number is `$2`. An account from
 * before addresses had one form is found by that form, unless another account has it: order by `lower(u.email) = $1`.
 */
export const ADDRESSED = `(not u.is_sso_user and (lower(u.email) = lower($1)
  or auth.typed_address(u.email) = $1 and lower(u.email) <> auth.typed_address(u.email)) or u.phone = $2)`;

/** Resolves to the account with this email address or phone number, and locks it until the transaction ends. */
export async function lockAccountOf(tx: Transaction, { email, phone }: Login): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT} from auth.users u
     where ${ADDRESSED} order by lower(u.email) = $1 desc nulls last limit 1 for update`,
    [email ?? null, phone ?? null],
  );
  return rows[0];
}

export const isConfirmed = (account: Account, { email }: Login) =>
  Boolean(email === undefined ? account.phone_confirmed_at : account.email_confirmed_at);

export const isBanned = ({ banned_until }: Account) => banned_until !== null && banned_until > new Date();

/** Returns the email address or phone number of a login, in its stored form. */
export const addressOf = ({ email, phone }: Login): string => email ?? phone;

/** Returns a person's name; empty if it is missing or malformed. */
export function nameOf({ raw_user_meta_data: metadata }: Pick<Account, "raw_user_meta_data">): string {
  const name = metadata.full_name ?? metadata.name;
  return typeof name === "string" ? name.slice(0, 200) : "";
}
