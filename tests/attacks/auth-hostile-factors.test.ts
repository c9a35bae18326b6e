import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { enqueuedTo, newestTo } from "../support/mailbox.ts";
import { type Person, signUp } from "../support/people.ts";
import {
  type App,
  codeOf,
  enrolApp,
  forgetCodes,
  protect,
  protectByPhone,
  wrongCodeOf,
} from "../support/second-factor.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const newPhone = () => `3903${Math.floor(1e7 * (1 + Math.random() * 8))}`;

/** Creates a person with a second factor, and a client that is signed in with their password only. */
async function halfway() {
  const ada = await signUp(server, "Ada");
  const app = await protect(server, ada);
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  if (error) throw error;
  return { ada, app, client };
}
const challenge = async (client: SupabaseClient, factorId: string) =>
  (await client.auth.mfa.challenge({ factorId })).data?.id ?? "";
const answer = async (client: SupabaseClient, { id }: Pick<App, "id">, code: string) =>
  (await client.auth.mfa.challengeAndVerify({ factorId: id, code })).error;
const send = (person: Pick<Person, "token">, path: string, body: unknown) =>
  fetch(`${server.url}/auth/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a code is accepted once, even in another session", async () => {
  const { ada, app, client } = await halfway();
  const code = codeOf(app.secret);
  expect(await answer(client, app, code)).toBeNull();
  expect(await answer(ada.client, app, code)).toMatchObject({ status: 422, code: "mfa_verification_failed" });
});

test("only one of two simultaneous verifications with the same code succeeds", async () => {
  const { app, client } = await halfway();
  const code = codeOf(app.secret);
  const challengeId = await challenge(client, app.id);
  const verify = () => client.auth.mfa.verify({ factorId: app.id, challengeId, code });
  const outcomes = await Promise.all([verify(), verify()]);
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
});

test("after ten wrong codes in several sessions the right one is refused in each, and the sessions stay", async () => {
  const { ada, app, client } = await halfway();
  const wrong = wrongCodeOf(app.secret);
  const codes = [];
  for (let guess = 0; guess < 5; guess++) {
    for (const session of [client, ada.client]) codes.push((await answer(session, app, wrong))?.code);
  }
  expect(new Set(codes)).toEqual(new Set(["mfa_verification_failed"]));
  for (const session of [client, ada.client]) {
    expect(await answer(session, app, codeOf(app.secret))).toMatchObject({ status: 429 });
    expect((await session.auth.getUser()).error).toBeNull();
  }
});

test("a texted code allows five wrong guesses, then a new one is needed", async () => {
  const ada = await signUp(server, "Ada");
  const phone = newPhone();
  const { data: factor } = await ada.client.auth.mfa.enroll({ factorType: "phone", phone });
  const factorId = factor?.id ?? "";
  const challengeId = await challenge(ada.client, factorId);
  const { code } = await newestTo(server, `+${phone}`);
  const wrong = code === "000000" ? "000001" : "000000";
  const verify = async (code: string) =>
    (await ada.client.auth.mfa.verify({ factorId, challengeId, code })).error?.code;
  for (let guess = 0; guess < 5; guess++) expect(await verify(wrong)).toBe("mfa_verification_failed");
  expect(await verify(code)).toBe("mfa_challenge_expired");
});

test("a challenge is valid for its own session and factor, five minutes, and once", async () => {
  const { ada, app, client } = await halfway();
  const verify = async (who: SupabaseClient, factorId: string, challengeId: string) =>
    (await who.auth.mfa.verify({ factorId, challengeId, code: codeOf(app.secret, 1) })).error?.code;
  const hers = await challenge(ada.client, app.id);
  expect(await verify(client, app.id, hers)).toBe("mfa_factor_not_found");
  expect(await verify(client, app.id, randomUUID())).toBe("mfa_factor_not_found");
  const other = await enrolApp(ada, "another");
  expect(await verify(ada.client, other.id, hers)).toBe("mfa_factor_not_found");
  const age = (minutes: number, id: string) =>
    server.db.query(
      "update auth.mfa_challenges set expires_at = expires_at - make_interval(mins => $1) where id = $2",
      [minutes, id],
    );
  await age(5, hers);
  expect(await verify(ada.client, app.id, hers)).toBe("mfa_challenge_expired");
  const again = await challenge(ada.client, app.id);
  await age(4, again);
  expect(await verify(ada.client, app.id, again)).toBeUndefined();
  await forgetCodes(server, app);
  expect(await verify(ada.client, app.id, again)).toBe("mfa_factor_not_found");
});

test("another person's factor cannot be listed, challenged, verified or removed", async () => {
  const { app } = await halfway();
  const bob = await signUp(server, "Bob");
  const { mfa } = bob.client.auth;
  const notFound = { status: 404, code: "mfa_factor_not_found" };
  expect((await mfa.listFactors()).data?.all).toEqual([]);
  expect((await mfa.challenge({ factorId: app.id })).error).toMatchObject(notFound);
  expect(
    (await mfa.verify({ factorId: app.id, challengeId: randomUUID(), code: codeOf(app.secret) })).error,
  ).toMatchObject(notFound);
  expect((await mfa.unenroll({ factorId: app.id })).error).toMatchObject(notFound);
});

describe("a session with only the password", () => {
  test("cannot add or remove a factor, or finish one that was begun before", async () => {
    const ada = await signUp(server, "Ada");
    const begun = await ada.client.auth.mfa.enroll({ factorType: "phone", phone: newPhone() });
    const app = await protect(server, ada);
    const client = server.client();
    await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
    const added = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "mine" });
    expect(added.error).toMatchObject({ status: 403, code: "insufficient_aal" });
    expect((await client.auth.mfa.unenroll({ factorId: app.id })).error).toMatchObject({
      status: 422,
      code: "insufficient_aal",
    });
    const factorId = begun.data?.id ?? "";
    const challengeId = await challenge(client, factorId);
    const { code } = await newestTo(server, `+${begun.data?.phone}`);
    const finished = await client.auth.mfa.verify({ factorId, challengeId, code });
    expect(finished.error).toMatchObject({ status: 403, code: "insufficient_aal" });
  });

  test.each([{ password: "another good password" }, { email: `${randomUUID()}@example.com` }, { phone: newPhone() }])(
    "cannot change the account: %o",
    async (change) => {
      const { ada, client } = await halfway();
      const before = await enqueuedTo(server, ada.email);
      const { error } = await client.auth.updateUser(change);
      expect(error).toMatchObject({ status: 401, code: "insufficient_aal" });
      expect(await enqueuedTo(server, ada.email)).toEqual(before);
    },
  );

  test("can change the password after the second factor is verified", async () => {
    const { app, client } = await halfway();
    expect(await answer(client, app, codeOf(app.secret))).toBeNull();
    expect((await client.auth.updateUser({ password: "another good password" })).error).toBeNull();
  });

  test("cannot change the password by a recovery link", async () => {
    const { ada } = await halfway();
    await server.client().auth.resetPasswordForEmail(ada.email);
    const { link } = await newestTo(server, ada.email, "recovery");
    const client = server.client();
    await client.auth.verifyOtp({ token_hash: link, type: "recovery" });
    expect((await client.auth.updateUser({ password: "another good password" })).error?.code).toBe("insufficient_aal");
  });
});

test("factor names and phone numbers are unique, and an account has at most ten factors", async () => {
  const ada = await signUp(server, "Ada");
  const phone = newPhone();
  await protect(server, ada, "telephone");
  await protectByPhone(server, ada, phone);
  const { mfa } = ada.client.auth;
  const named = await mfa.enroll({ factorType: "totp", friendlyName: "telephone" });
  expect(named.error).toMatchObject({ status: 422, code: "mfa_factor_name_conflict" });
  const numbered = await mfa.enroll({ factorType: "phone", phone });
  expect(numbered.error).toMatchObject({ status: 422, code: "mfa_verified_factor_exists" });
  for (let i = 2; i < 10; i++) await enrolApp(ada, `app ${i}`);
  const eleventh = await mfa.enroll({ factorType: "totp", friendlyName: "app 10" });
  expect(eleventh.error).toMatchObject({ status: 422, code: "too_many_enrolled_mfa_factors" });
});

test.each<[string, string, unknown, number, string]>([
  ["no type", "/factors", {}, 400, "validation_failed"],
  ["an unknown type", "/factors", { factor_type: "palm" }, 400, "validation_failed"],
  ["a passkey", "/factors", { factor_type: "webauthn" }, 422, "mfa_webauthn_enroll_not_enabled"],
  ["no number", "/factors", { factor_type: "phone" }, 400, "validation_failed"],
  ["an invalid phone number", "/factors", { factor_type: "phone", phone: "12" }, 400, "validation_failed"],
  [
    "a name that is too long",
    "/factors",
    { factor_type: "totp", friendly_name: "x".repeat(101) },
    400,
    "validation_failed",
  ],
  ["an issuer with a line break", "/factors", { factor_type: "totp", issuer: "a\nb" }, 400, "validation_failed"],
  ["no UUID", "/factors/1/challenge", {}, 404, "validation_failed"],
  ["no UUID to verify", "/factors/1/verify", { challenge_id: randomUUID(), code: "123456" }, 404, "validation_failed"],
  ["no challenge", `/factors/${randomUUID()}/verify`, { code: "123456" }, 400, "validation_failed"],
  ["no code", `/factors/${randomUUID()}/verify`, { challenge_id: randomUUID(), code: " " }, 400, "validation_failed"],
])("%s is refused, and nothing is written", async (_what, path, body, status, code) => {
  const ada = await signUp(server, "Ada");
  const reply = await send(ada, path, body);
  expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ error_code: code })]);
  const { rows } = await server.db.query("select from auth.mfa_factors where user_id = $1", [ada.id]);
  expect(rows).toEqual([]);
});

test.each(["/factors", `/factors/${randomUUID()}/challenge`, `/factors/${randomUUID()}/verify`])(
  "%s requires a signed-in person",
  async (path) => {
    expect((await send({ token: server.keys.publishable }, path, {})).status).toBe(401);
    expect((await send({ token: "nonsense" }, path, {})).status).toBe(403);
  },
);
