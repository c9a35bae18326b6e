import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database, Transaction } from "../../database/database.ts";

export type TokenType =
  | "confirmation_token"
  | "recovery_token"
  | "reauthentication_token"
  | "email_change_token_new"
  | "email_change_token_current"
  | "phone_change_token";

/** A token: its purpose, its account and the address it was sent to. */
export interface OneTimeToken {
  user_id: string;
  token_type: TokenType;
  relates_to: string;
  flow_state_id: string | null;
}

interface NewToken {
  type: TokenType;
  userId: string;
  /** The email address or phone number that it is sent to. */
  relatesTo: string;
  minutes: number;
  /** The flow that the link continues. */
  flow?: string;
}

/** The token's part of a message. The link and the code have the same effect; using one invalidates the other. */
export interface SentToken {
  link: string;
  code: string;
  minutes: number;
  expiresAt: Date;
}

/** Prefix of a link's token in a PKCE flow. It makes errors appear where a PKCE client reads them. */
export const FLOW_PREFIX = "pkce_";

/** Upper limit of attempts at a code, including the correct one. */
const TRIES = 5;
/** Types that sign the reader in: a newer token replaces an older one of either type. */
const SIGN_IN: TokenType[] = ["confirmation_token", "recovery_token"];

const hashOfLink = (link: string) => createHash("sha256").update(link).digest("hex");
const hashOfCode = (secret: Uint8Array, id: string, code: string) =>
  createHmac("sha256", secret).update(`${id} ${code}`).digest("base64url");

/** Creates a token, and deletes the person's earlier tokens for the same purpose. Only hashes are stored. */
export async function issueToken(tx: Transaction, secret: Uint8Array, token: NewToken): Promise<SentToken> {
  const { type, userId, relatesTo, minutes, flow } = token;
  const { rows } = await tx.query<{ id: string }>("select gen_random_uuid() as id");
  const id = rows[0]?.id ?? "";
  const link = (flow ? FLOW_PREFIX : "") + randomBytes(32).toString("base64url");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and token_type::text = any($2)", [
    userId,
    SIGN_IN.includes(type) ? SIGN_IN : [type],
  ]);
  const result = await tx.query<{ expires_at: Date }>(
    `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, code_hash, relates_to, flow_state_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))
     on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
       code_hash = excluded.code_hash, relates_to = excluded.relates_to, tries = 0,
       flow_state_id = excluded.flow_state_id, expires_at = excluded.expires_at, updated_at = now()
     returning expires_at`,
    [id, userId, type, hashOfLink(link), hashOfCode(secret, id, code), relatesTo, flow ?? null, minutes],
  );
  return { link, code, minutes, expiresAt: result.rows[0]?.expires_at ?? new Date() };
}

/** Prefix of the stored hash of a used token. It matches no link, and the row stays only to say that it was used. */
const USED_PREFIX = "used ";
/** Ends a token. An earlier version of the server refuses it too, because it has expired. */
const USE = `set token_hash = '${USED_PREFIX}' || token_hash, expires_at = clock_timestamp(), updated_at = now()`;
const TOKEN = "user_id, token_type::text as token_type, relates_to, flow_state_id";

/** Uses a link's token. Resolves to undefined if there is no valid one of these types. */
export async function takeLink(tx: Transaction, link: string, types: TokenType[]): Promise<OneTimeToken | undefined> {
  const { rows } = await tx.query<OneTimeToken>(
    `update auth.one_time_tokens ${USE}
     where token_hash = $1 and token_type::text = any($2) and expires_at > clock_timestamp() returning ${TOKEN}`,
    [hashOfLink(link), types],
  );
  return rows[0];
}

/** The state of a link, which its page shows before anybody uses it. */
export type LinkState =
  | { state: "valid"; token: OneTimeToken; challenge: string | null }
  | { state: "used" | "expired" };

/** Reads the state of a link's token and changes nothing. A replaced token counts as expired. */
export async function readLinkState(db: Transaction, link: string, types: TokenType[]): Promise<LinkState> {
  const hash = hashOfLink(link);
  const { rows } = await db.query<OneTimeToken & { used: boolean; valid: boolean; code_challenge: string | null }>(
    `select t.user_id, token_type::text as token_type, relates_to, flow_state_id, token_hash <> $1 as used, expires_at > clock_timestamp() as valid, f.code_challenge
     from auth.one_time_tokens t left join auth.flow_state f on f.id = t.flow_state_id
     where token_hash = any(array[$1, $2]) and token_type::text = any($3)`,
    [hash, USED_PREFIX + hash, types],
  );
  const [row] = rows;
  if (row?.used) return { state: "used" };
  if (!row?.valid) return { state: "expired" };
  const { used: _used, valid: _valid, code_challenge: challenge, ...token } = row;
  return { state: "valid", token, challenge };
}

interface Guess {
  code: string;
  relatesTo: string;
  types: TokenType[];
  /** The account that the token must belong to, if the request has a session. */
  userId?: string;
}

/**
 * Checks a code and resolves to its token's id; undefined if the code is wrong. Counts the guess before it is checked,
 * outside of any transaction, so that parallel guesses and rolled-back guesses count too.
 */
export async function guessCode(db: Database, secret: Uint8Array, guess: Guess): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string; code_hash: string }>(
    `update auth.one_time_tokens set tries = tries + 1
     where relates_to = $1 and token_type::text = any($2) and (user_id = $3 or $3::uuid is null)
       and tries < $4 and expires_at > clock_timestamp()
     returning id, code_hash`,
    [guess.relatesTo, guess.types, guess.userId ?? null, TRIES],
  );
  return rows.find((row) => same(row.code_hash, hashOfCode(secret, row.id, guess.code)))?.id;
}

/** Whether a code belongs to the newest message and was used, or the link beside it. */
export async function isUsedCode(db: Transaction, secret: Uint8Array, guess: Guess): Promise<boolean> {
  const { rows } = await db.query<{ id: string; code_hash: string }>(
    `select id, code_hash from auth.one_time_tokens
     where relates_to = $1 and token_type::text = any($2) and (user_id = $3 or $3::uuid is null)
       and token_hash like '${USED_PREFIX}%'`,
    [guess.relatesTo, guess.types, guess.userId ?? null],
  );
  return rows.some((row) => same(row.code_hash, hashOfCode(secret, row.id, guess.code)));
}

/** Uses a code's token. Resolves to undefined if it has been used or replaced meanwhile. */
export async function takeCode(tx: Transaction, id: string): Promise<OneTimeToken | undefined> {
  const { rows } = await tx.query<OneTimeToken>(
    `update auth.one_time_tokens ${USE} where id = $1 and expires_at > clock_timestamp() returning ${TOKEN}`,
    [id],
  );
  return rows[0];
}

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
