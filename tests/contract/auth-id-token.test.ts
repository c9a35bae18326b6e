import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asProvider, at, BAD_TOKENS, openIssuer } from "../support/issuer.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const issuer = await openIssuer();
const google = await openIssuer();
const server = await testServer({
  ...asProvider(issuer),
  GOOGLE_CLIENT_ID: `the-website,${google.clientId}`,
  GOOGLE_CLIENT_SECRET: "a secret",
  GOOGLE_ISSUER: google.url,
});
const provider = "custom:test";
const hashed = (text: string) => createHash("sha256").update(text).digest("hex");
const people = async () =>
  (await server.db.query<{ n: number }>("select count(*)::int as n from auth.users")).rows[0]?.n;

test("an ID token opens a session, and the first sign-in creates the account", async () => {
  const claims = issuer.claims();
  const { data, error } = await server.client().auth.signInWithIdToken({ provider, token: await issuer.sign(claims) });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    email: claims.email,
    user_metadata: { full_name: "Somebody" },
    app_metadata: { provider, providers: [provider] },
  });
  expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ amr: [{ method: "oauth" }] });
  const again = await server
    .client()
    .auth.signInWithIdToken({ provider, token: await issuer.sign({ ...claims, iat: at(-1) }) });
  expect(again.data.user?.id).toBe(data.user?.id);
});

test.each(["google", google.url])(
  "Google, named %s, accepts tokens with either spelling of the issuer and for each client ID",
  async (name) => {
    for (const otherwise of [{}, { iss: "accounts.google.com" }, { aud: "the-website" }]) {
      const token = await google.sign(google.claims(otherwise));
      const { data, error } = await server.client().auth.signInWithIdToken({ provider: name, token });
      expect([error, data.user?.app_metadata.provider]).toEqual([null, "google"]);
    }
  },
);

test.each(["hashed", "plain"])("a token may contain the nonce %s", async (how) => {
  const nonce = "a nonce that nobody else knows";
  const token = await issuer.sign(issuer.claims({ nonce: how === "hashed" ? hashed(nonce) : nonce }));
  const { error } = await server.client().auth.signInWithIdToken({ provider, token, nonce });
  expect(error).toBeNull();
});

test("an access token must match the ID token's at_hash", async () => {
  const hash = createHash("sha256").update("the access token").digest().subarray(0, 16).toString("base64url");
  const sign = () => issuer.sign(issuer.claims({ at_hash: hash }));
  const { auth } = server.client();
  const other = await auth.signInWithIdToken({ provider, token: await sign(), access_token: "another" });
  expect(other.error).toMatchObject({ status: 400, code: "validation_failed" });
  const own = await auth.signInWithIdToken({ provider, token: await sign(), access_token: "the access token" });
  expect(own.error).toBeNull();
});

test("a token links a provider account to the signed-in account, and the session continues", async () => {
  const ada = await signUp(server, "Ada");
  const claims = issuer.claims();
  const { data, error } = await ada.client.auth.linkIdentity({ provider, token: await issuer.sign(claims) });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id: ada.id, email: ada.email, app_metadata: { providers: [provider, "email"] } });
  expect(decodeJwt(data.session?.access_token ?? "").session_id).toBe(decodeJwt(ada.token).session_id);
  const elsewhere = await server
    .client()
    .auth.signInWithIdToken({ provider, token: await issuer.sign({ ...claims, iat: at(-1) }) });
  expect(elsewhere.data.user?.id).toBe(ada.id);
});

describe("no session is opened and no account is made by a token that", () => {
  let accounts: number | undefined;
  beforeEach(async () => {
    accounts = await people();
  });
  afterEach(async () => expect(await people()).toBe(accounts));

  test.each(Object.entries(BAD_TOKENS))("%s", async (_what, make) => {
    const token = await make(issuer, hashed("a nonce"));
    const { data, error } = await server.client().auth.signInWithIdToken({ provider, token, nonce: "a nonce" });
    expect(data.session).toBeNull();
    expect(error?.status).toBe(400);
    expect(["validation_failed", "unexpected_audience"]).toContain(error?.code);
  });

  test("comes from the future", async () => {
    const token = await issuer.sign(issuer.claims({ iat: at(600), exp: at(1200) }));
    expect((await server.client().auth.signInWithIdToken({ provider, token })).error?.message).toBe("Bad ID token");
  });

  test("states a nonce that the client does not know, or none where it does", async () => {
    const { auth } = server.client();
    const stated = await issuer.sign(issuer.claims({ nonce: hashed("a nonce") }));
    const silent = await issuer.sign(issuer.claims());
    const message = "Passed nonce and nonce in id_token should either both exist or not.";
    expect((await auth.signInWithIdToken({ provider, token: stated })).error?.message).toBe(message);
    expect((await auth.signInWithIdToken({ provider, token: silent, nonce: "a nonce" })).error?.message).toBe(message);
  });

  test("was used before", async () => {
    const token = await issuer.sign(issuer.claims());
    expect((await server.client().auth.signInWithIdToken({ provider, token })).error).toBeNull();
    accounts = await people();
    const again = await server.client().auth.signInWithIdToken({ provider, token });
    expect(again.error).toMatchObject({ status: 400, message: "Bad ID token" });
  });

  test("is another provider's", async () => {
    const token = await issuer.sign(issuer.claims());
    expect((await server.client().auth.signInWithIdToken({ provider: "google", token })).error?.status).toBe(400);
  });

  test("has no verified address", async () => {
    for (const otherwise of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      const token = await issuer.sign(issuer.claims(otherwise));
      const { error } = await server.client().auth.signInWithIdToken({ provider, token });
      expect(error).toMatchObject({ status: 422, code: "provider_email_needs_verification" });
    }
  });
});

test.each<[string, object]>([
  ["no token", { provider }],
  ["no provider", { id_token: "x" }],
  ["an unknown provider", { provider: "azure", id_token: "x" }],
  ["an unknown issuer", { issuer: "https://evil.example", client_id: "x", id_token: "x" }],
  ["a token of 20,000 characters", { provider, id_token: "x".repeat(20_000) }],
])("%s is refused", async (_what, body) => {
  const reply = await fetch(`${server.url}/auth/v1/token?grant_type=id_token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([reply.status, (await reply.json()).error_code]).toEqual([400, "validation_failed"]);
});

test("linking a token needs a signed-in account", async () => {
  const reply = await fetch(`${server.url}/auth/v1/token?grant_type=id_token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ provider, id_token: await issuer.sign(issuer.claims()), link_identity: true }),
  });
  expect(reply.status).toBe(401);
});
