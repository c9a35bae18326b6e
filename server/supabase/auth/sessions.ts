import { randomUUID } from "node:crypto";
import type { Transaction } from "../../database/database.ts";
import type { Device, Grant } from "./grant.ts";
import { hashOf, newRefreshToken } from "./refresh-tokens.ts";
import { findSignedIn, type SignedIn } from "./signed-in.ts";

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

type SignOutScope = "global" | "local" | "others";

/** Ends sessions of a person's: all of them, this one, or all but this one. */
export async function signOut(tx: Transaction, { id, session_id }: SignedIn, scope: SignOutScope) {
  await tx.query(
    `delete from auth.sessions
     where user_id = $1 and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`,
    [id, session_id, scope],
  );
}
