import { createHash, createHmac, randomBytes } from "node:crypto";
import { RequestError } from "../../../shared/request-error.ts";
import { type Database, isBeingMoved, type Transaction } from "../../database/database.ts";
import type { Device, Grant } from "./grant.ts";
import { findSignedIn, sessionEnded } from "./signed-in.ts";

/** Seconds in which a token may be sent again after its successor was exchanged too: a second tab, a double click. */
const REUSE_SECONDS = 10;
/** The maximum number of exchanges by one client in that time. */
const REUSE_STEPS = 10;
/** How long exchanged tokens are stored, so that the reuse of a stolen one is detected. */
const REMEMBERED = "30 days";

export const newRefreshToken = () => randomBytes(24).toString("base64url");

/** Returns the hash under which a token is stored. */
export const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/**
 * Derives the successor of the token with this hash. It is always the same. So a client that asks twice or never got
 * the response gets the same token again, although only hashes are stored.
 */
const successorOf = (hash: string, secret: Uint8Array) =>
  createHmac("sha256", secret).update(hash).digest().subarray(0, 24).toString("base64url");

/**
 * Exchanges a refresh token for its successor. A repeated token gets the same successor while that one is unused, or
 * within ten seconds. After that, it counts as copied, and its whole session ends. While the installation is being
 * moved, the token stays valid and is returned, because the new installation would not know its successor.
 */
export async function exchange(db: Database, secret: Uint8Array, token: string, device: Device): Promise<Grant> {
  const exchanging = db.transaction(async (tx) => {
    const session = await sessionOf(tx, token, "for update of s");
    if (!session) return "unknown";
    const next = await nextToken(tx, secret, session, token, (hash) => rotate(tx, secret, session, hash));
    // The error is thrown after the commit. An error in here would roll back the deletion of the session.
    if (!next) {
      await tx.query("delete from auth.sessions where id = $1", [session]);
      return "reused";
    }
    await tx.query(
      "update auth.sessions set refreshed_at = now(), updated_at = now(), user_agent = $2, ip = $3, network = $4 where id = $1",
      [session, device.userAgent, device.address, device.network],
    );
    const person = await findSignedIn(tx, session);
    return person ? { person, refreshToken: next } : "unknown";
  });
  const outcome = await exchanging.catch(async (error: unknown) => {
    if (!isBeingMoved(error)) throw error;
    const session = await sessionOf(db, token);
    if (!session) return "unknown";
    const same = await nextToken(db, secret, session, token, () => Promise.resolve(token));
    // A copied token ends its session as soon as the database is writable again.
    if (!same) throw error;
    const person = await findSignedIn(db, session);
    return person ? { person, refreshToken: same } : "unknown";
  });
  if (outcome === "unknown") {
    throw new RequestError("refresh_token_not_found");
  }
  if (outcome === "reused") {
    throw new RequestError("refresh_token_already_used");
  }
  return outcome;
}

/**
 * Continues a session with the next refresh token without receiving the current one, e.g. after the second factor. For
 * a client that still holds the current token, the effect is the same as if it had exchanged it.
 */
export async function renewSession(tx: Transaction, secret: Uint8Array, session: string): Promise<Grant> {
  await tx.query("select from auth.sessions where id = $1 for update", [session]);
  const { rows } = await tx.query<{ token: string }>(
    "select token from auth.refresh_tokens where session_id = $1 and not revoked",
    [session],
  );
  const refreshToken = rows[0] && (await rotate(tx, secret, session, rows[0].token));
  const person = await findSignedIn(tx, session);
  if (!refreshToken || !person) throw sessionEnded();
  return { person, refreshToken };
}

/** Resolves to the id of a token's session. `lock` locks it before its tokens, so that exchanges run one by one. */
async function sessionOf(tx: Transaction, token: string, lock: "for update of s" | "" = "") {
  const { rows } = await tx.query<{ id: string }>(
    `select s.id from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id
     where t.token = $1 ${lock}`,
    [hashOf(token)],
  );
  return rows[0]?.id;
}

/** Resolves to the token to return; undefined for a reused token. Requires the session's lock. */
async function nextToken(
  tx: Transaction,
  secret: Uint8Array,
  session: string,
  token: string,
  exchangeUnused: (hash: string) => Promise<string>,
) {
  // A separate statement, because the one that waited for the lock sees the tokens as they were before the wait.
  const { rows } = await tx.query<{ token: string; revoked: boolean; recent: boolean }>(
    `select token, revoked, updated_at > clock_timestamp() - make_interval(secs => $3) as recent
     from auth.refresh_tokens where session_id = $1 and (token = $2 or not revoked)`,
    [session, hashOf(token), REUSE_SECONDS],
  );
  const presented = rows.find((row) => row.token === hashOf(token));
  const active = rows.find((row) => !row.revoked);
  if (!presented || !active) return undefined;
  if (!presented.revoked) return exchangeUnused(presented.token);
  let next = token;
  for (let step = 0; step < (presented.recent ? REUSE_STEPS : 1); step++) {
    next = successorOf(hashOf(next), secret);
    if (hashOf(next) === active.token) return next;
  }
  return undefined;
}

async function rotate(tx: Transaction, secret: Uint8Array, session: string, hash: string) {
  const next = successorOf(hash, secret);
  await tx.query(
    `with used as (
       update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $2
     ), forgotten as (
       delete from auth.refresh_tokens
       where session_id = $1 and revoked and updated_at < now() - interval '${REMEMBERED}'
     )
     insert into auth.refresh_tokens (token, user_id, session_id, parent)
     select $3, user_id, session_id, token from auth.refresh_tokens where token = $2`,
    [session, hash, hashOf(next)],
  );
  return next;
}
