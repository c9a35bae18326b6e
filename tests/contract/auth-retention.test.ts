import { randomUUID } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { clearAway } from "../../server/supabase/auth/retention.ts";
import { newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const beside = await testServer({}, server);
const has = async (table: string, userId: string) =>
  (await server.db.query(`select from auth.${table} where ${table === "users" ? "id" : "user_id"} = $1`, [userId])).rows
    .length > 0;
const shift = (table: string, column: string, by: string, userId: string) =>
  server.db.query(
    `update auth.${table} set ${column} = ${column} - interval '${by}' where ${table === "users" ? "id" : "user_id"} = $1`,
    [userId],
  );

test("sessions unused for three months end, and others stay", async () => {
  const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
  await shift("sessions", "created_at", "91 days", ada.id);
  await clearAway(server.db);
  expect([await has("sessions", ada.id), await has("sessions", bob.id)]).toEqual([false, true]);
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await server.client().auth.signInWithPassword(ada)).error).toBeNull();
});

test("accounts that never signed in are deleted after a week, and others stay", async () => {
  const email = `${randomUUID()}@example.com`;
  await server.client().auth.signInWithOtp({ email });
  const { rows } = await server.db.query<{ id: string }>("select id from auth.users where email = $1", [email]);
  const messageId = rows[0]?.id ?? "";
  const ada = await signUp(server, "Ada");
  await clearAway(server.db);
  expect(await has("users", messageId)).toBe(true);
  for (const id of [messageId, ada.id]) {
    for (const column of ["created_at", "recovery_sent_at", "last_sign_in_at"])
      await shift("users", column, "8 days", id);
  }
  await clearAway(server.db);
  expect([await has("users", messageId), await has("users", ada.id)]).toEqual([false, true]);
});

test("expired links and attempt counts are deleted", async () => {
  const ada = await signUp(server, "Ada");
  await server.client().auth.resetPasswordForEmail(ada.email);
  await clearAway(server.db);
  expect(await has("one_time_tokens", ada.id)).toBe(true);
  await shift("one_time_tokens", "expires_at", "1 hour", ada.id);
  await server.db.query("update auth.attempts set ends_at = now() - interval '1 second'");
  await clearAway(server.db);
  expect(await has("one_time_tokens", ada.id)).toBe(false);
  expect((await server.db.query("select from auth.attempts")).rows).toEqual([]);
});

test("an email change still needs both confirmations after one of them was deleted", async () => {
  const ada = await signUp(server, "Ada");
  const email = `${randomUUID()}@example.com`;
  await ada.client.auth.updateUser({ email });
  const { link } = await newestTo(server, email);
  await server.db.query(
    "update auth.one_time_tokens set expires_at = now() - interval '1 second' where user_id = $1 and token_type = 'email_change_token_current'",
    [ada.id],
  );
  await clearAway(server.db);
  const { data } = await server.client().auth.verifyOtp({ token_hash: link, type: "email_change" });
  expect(data.session).toBeNull();
  expect((await ada.client.auth.getUser()).data.user?.email).toBe(ada.email);
});

test("after a key rotation everybody stays signed in, in every process, and new tokens use the new key", async () => {
  const ada = await signUp(server, "Ada");
  const jwks = async () =>
    (await (await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  const before = (await jwks()).keys.map(({ kid }) => kid);
  const reply = await fetch(`${server.url}/auth/v1/admin/rotate_keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.keys.secret}` },
  });
  expect(((await reply.json()) as { keys: unknown[] }).keys).toHaveLength(before.length + 1);
  const { data } = await server.client().auth.signInWithPassword(ada);
  const token = data.session?.access_token ?? "";
  const kid = decodeProtectedHeader(token).kid;
  expect(before).toContain(kid);
  expect(kid).not.toBe(decodeProtectedHeader(ada.token).kid);
  for (const process of [server, beside]) {
    for (const bearer of [ada.token, token]) {
      expect((await process.client().auth.getUser(bearer)).data.user?.id).toBe(ada.id);
    }
  }
  expect((await ada.client.auth.getClaims()).data?.claims.sub).toBe(ada.id);
});
