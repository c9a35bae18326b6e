import { randomUUID } from "node:crypto";
import { Refusal } from "../../../shared/refusal.ts";
import type { Transaction } from "../../database/database.ts";
import type { Identify } from "../callers.ts";
import type { Tokens } from "../tokens.ts";
import { hashOf, newRefreshToken } from "./refresh-tokens.ts";
import { claimsOf, findSignedIn, type SignedIn, userJson } from "./user-json.ts";

/** Where a session is, as its person may be shown it one day. */
export interface Device {
  userAgent: string | null;
  address: string;
}

/** A session that has just been opened or refreshed. */
export interface Grant {
  person: SignedIn;
  refreshToken: string;
}

/** How long an access token is good for, in seconds. */
const ACCESS_SECONDS = 3600;

/** Opens a session of a user's; `method` is how they proved who they are. */
export async function openSession(tx: Transaction, userId: string, method: string, device: Device): Promise<Grant> {
  const sessionId = randomUUID();
  const refreshToken = newRefreshToken();
  await tx.query(
    `with person as (
       update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2
     ), session as (
       insert into auth.sessions (id, user_id, user_agent, ip) values ($1, $2, $3, $4)
     ), method as (
       insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $5)
     )
     insert into auth.refresh_tokens (token, user_id, session_id) values ($6, $2, $1)`,
    [sessionId, userId, device.userAgent, device.address, method, hashOf(refreshToken)],
  );
  const person = await findSignedIn(tx, sessionId);
  if (!person) throw new Error("A session just opened is gone");
  return { person, refreshToken };
}

/** What a client gets to keep: both tokens, and whose they are. */
export async function sessionJson(tokens: Tokens, { person, refreshToken }: Grant) {
  return {
    access_token: await tokens.sign(claimsOf(person), ACCESS_SECONDS),
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    expires_at: Math.floor(Date.now() / 1000) + ACCESS_SECONDS,
    refresh_token: refreshToken,
    user: userJson(person),
  };
}

/** The person whose token this is, with their session, which must not have ended since the token was made. */
export async function requireSignedIn(
  db: Transaction,
  identify: Identify,
  authorization: string | undefined,
): Promise<SignedIn> {
  const { role, sub, session_id: sessionId } = await identify({ authorization });
  if (role !== "authenticated" || typeof sessionId !== "string") {
    throw new Refusal(401, "This endpoint requires a valid Bearer token", "no_authorization");
  }
  const person = await findSignedIn(db, sessionId);
  if (person?.id !== sub || !person) {
    throw new Refusal(403, "Session from session_id claim in JWT does not exist", "session_not_found");
  }
  return person;
}

export type SignOutScope = "global" | "local" | "others";

/** Ends sessions of a person's: all of them, this one, or all but this one. */
export async function signOut(tx: Transaction, { id, session_id }: SignedIn, scope: SignOutScope) {
  await tx.query(
    `delete from auth.sessions
     where user_id = $1 and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`,
    [id, session_id, scope],
  );
}
