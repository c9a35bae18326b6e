import { randomUUID } from "node:crypto";
import { deviceName } from "../../../shared/device-name.ts";
import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { type Account, isBanned } from "./account.ts";
import type { AuthContext } from "./context.ts";
import type { Device, Grant } from "./grant.ts";
import { hashOf, newRefreshToken } from "./refresh-tokens.ts";
import { findSignedIn, type SignedIn } from "./signed-in.ts";

/** Opens a session. `method` is the authentication method. An email informs the user of a new kind of device. */
export async function openSession(
  { messages }: Pick<AuthContext, "messages">,
  tx: Transaction,
  userId: string,
  method: string,
  device: Device,
): Promise<Grant> {
  const { sessionId, refreshToken, values } = newSession(userId, method, device);
  await tx.query(`with ${OPENED} select`, values);
  const person = await findSignedIn(tx, sessionId);
  if (!person) throw new Error("A session just opened is gone");
  if (isBanned(person)) throw new RequestError("user_banned");
  const name = deviceName(device.userAgent);
  if ((await isStrange(tx, userId, name)) && person.email_confirmed_at) {
    await messages.mail(tx, {
      template: "new-sign-in",
      to: person.email ?? "",
      reader: { chosen: person.raw_user_meta_data.language, accepted: device.languages },
      props: { device: name, at: new Date().toISOString() },
    });
  }
  return { person, refreshToken };
}

/** Opens a session in one statement, for a new account or a known device. Refunds the attempt with key `attempt`. */
export async function openKnownSession(
  db: Transaction,
  account: Account,
  method: string,
  device: Device,
  attempt: string,
): Promise<Grant> {
  const { sessionId, refreshToken, values } = newSession(account.id, method, device);
  const { rows } = await db.query<{ at: Date }>(
    `with ${OPENED}, seen as (
       update auth.known_devices set seen_at = now() where user_id = $2 and device = $8
     ), taken_back as (
       update auth.attempts set count = greatest(count - 1, 0) where key = $9
     ) select now() as at`,
    [...values, deviceName(device.userAgent), attempt],
  );
  const at = rows[0]?.at ?? new Date();
  const person: SignedIn = {
    ...account,
    last_sign_in_at: at,
    updated_at: at,
    session_id: sessionId,
    aal: "aal1",
    amr: [{ method, timestamp: Math.floor(at.getTime() / 1000) }],
  };
  return { person, refreshToken };
}

const OPENED = `person as (
    update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2
  ), session as (
    insert into auth.sessions (id, user_id, user_agent, ip, network) values ($1, $2, $3, $4, $5)
  ), method as (
    insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $6)
  ), token as (
    insert into auth.refresh_tokens (token, user_id, session_id) values ($7, $2, $1)
  )`;

function newSession(userId: string, method: string, { userAgent, address, network }: Device) {
  const [sessionId, refreshToken] = [randomUUID(), newRefreshToken()];
  const values = [sessionId, userId, userAgent, address, network, method, hashOf(refreshToken)];
  return { sessionId, refreshToken, values };
}

/** Stores a device. Resolves to whether it is new although the person has others. */
async function isStrange(tx: Transaction, userId: string, device: string): Promise<boolean> {
  const { rows } = await tx.query<{ strange: boolean }>(
    `with others as (
       select count(*) filter (where device = $2) = 0 and count(*) > 0 as strange
       from auth.known_devices where user_id = $1
     ), seen as (
       insert into auth.known_devices (user_id, device) values ($1, $2)
       on conflict (user_id, device) do update set seen_at = now()
     ) select strange from others`,
    [userId, device],
  );
  return rows[0]?.strange ?? false;
}

type SignOutScope = "global" | "local" | "others";

/** Ends a person's sessions: all, this one, or all but this one. */
export async function signOut(tx: Transaction, { id, session_id }: SignedIn, scope: SignOutScope) {
  await tx.query(
    `delete from auth.sessions
     where user_id = $1 and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`,
    [id, session_id, scope],
  );
}
