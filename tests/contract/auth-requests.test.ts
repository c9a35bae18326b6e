import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const ada = await signUp(server, "Ada");
const [header = "", payload = "", signature = ""] = ada.token.split(".");
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Caller;

const call = (path: string, init: RequestInit = {}) => fetch(`${server.url}/auth/v1${path}`, init);
const json = { "content-type": "application/json" };
const post = (body: string, headers: Record<string, string> = json) => ({ method: "POST", headers, body });
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const credentials = (fields: object = {}) =>
  JSON.stringify({ email: `${randomUUID()}@example.com`, password: "a good password", ...fields });
const countAll = async () =>
  (
    await server.db.query(`select (select count(*) from auth.users) as users, (select count(*) from auth.sessions) as sessions,
      (select count(*) from auth.refresh_tokens) as tokens, (select count(*) from auth.identities) as identities`)
  ).rows[0];

test.each<[string, string, RequestInit, number, string]>([
  ["JSON cut short", "/signup", post('{"email":"a@b.co'), 400, "bad_json"],
  ["an empty body", "/signup", post(""), 400, "validation_failed"],
  ["a list", "/signup", post("[]"), 400, "validation_failed"],
  ["a text", "/signup", post('"hello"'), 400, "validation_failed"],
  ["nothing", "/signup", post("null"), 400, "validation_failed"],
  ["a poisoned prototype", "/signup", post('{"__proto__":{"role":"admin"}}'), 400, "bad_json"],
  ["plain text", "/signup", post(credentials(), { "content-type": "text/plain" }), 415, "validation_failed"],
  ["a form", "/signup", { method: "POST", body: new URLSearchParams({ email: "a@b.co" }) }, 415, "validation_failed"],
  ["a body of 65 KB", "/signup", post(credentials({ data: { bio: "x".repeat(65 * 1024) } })), 413, "validation_failed"],
  ["a number for an address", "/signup", post(credentials({ email: 7 })), 400, "validation_failed"],
  ["an object for a password", "/signup", post(credentials({ password: {} })), 400, "validation_failed"],
  ["a list for metadata", "/signup", post(credentials({ data: [1] })), 400, "validation_failed"],
  [
    "an address of 300 characters",
    "/signup",
    post(credentials({ email: `${"x".repeat(300)}@b.co` })),
    400,
    "validation_failed",
  ],
  [
    "an address that email does not reach",
    "/signup",
    post(credentials({ email: "xx:;x@x.x" })),
    400,
    "validation_failed",
  ],
  ["a NUL in an address", "/signup", post(credentials({ email: "a\0@b.co" })), 400, "validation_failed"],
  ["an email and a phone", "/signup", post(credentials({ phone: "390212345678" })), 400, "validation_failed"],
  ["a lone surrogate", "/signup", post(credentials({ data: { bio: "\ud800" } })), 400, "validation_failed"],
  ["no grant type", "/token", post(credentials()), 400, "validation_failed"],
  ["an unknown grant type", "/token?grant_type=magic", post(credentials()), 400, "validation_failed"],
  ["two grant types", "/token?grant_type=password&grant_type=magic", post(credentials()), 400, "validation_failed"],
  ["a NUL for an address", "/token?grant_type=password", post(credentials({ email: "\0" })), 400, "validation_failed"],
  ["no refresh token", "/token?grant_type=refresh_token", post("{}"), 400, "validation_failed"],
  [
    "a list of refresh tokens",
    "/token?grant_type=refresh_token",
    post('{"refresh_token":["a"]}'),
    400,
    "validation_failed",
  ],
  [
    "an unknown sign-out scope",
    "/logout?scope=everyone",
    { method: "POST", ...bearing(ada.token) },
    400,
    "validation_failed",
  ],
  ["an unknown path", "/nothing/here", {}, 404, "not_found"],
  ["an unsupported method", "/signup", { method: "DELETE" }, 404, "not_found"],
])("%s is refused in the protocol's format, and nothing is written", async (_what, path, init, status, code) => {
  const before = await countAll();
  const reply = await call(path, init);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toEqual({ code: status, error_code: code, msg: expect.any(String) });
  expect(await countAll()).toEqual(before);
});

test.each<[string, RequestInit, number, string]>([
  ["a request without a token", {}, 401, "no_authorization"],
  ["a visitor's key", bearing(server.keys.publishable), 401, "no_authorization"],
  ["the service's key", bearing(server.keys.secret), 401, "no_authorization"],
  [
    "a share visitor",
    bearing(await server.sign({ role: "anon", share: { link: randomUUID(), version: 1 } })),
    401,
    "no_authorization",
  ],
  [
    "a token without a session",
    bearing(await server.sign({ role: "authenticated", sub: ada.id })),
    401,
    "no_authorization",
  ],
  ["someone else's session", bearing(await server.sign({ ...claims, sub: randomUUID() })), 403, "session_not_found"],
  ["an unknown session", bearing(await server.sign({ ...claims, session_id: randomUUID() })), 403, "session_not_found"],
  ["garbage", bearing("garbage"), 403, "bad_jwt"],
  ["alg none", bearing(`${encode({ alg: "none", typ: "JWT" })}.${payload}.`), 403, "bad_jwt"],
  ["a changed payload", bearing(`${header}.${encode({ ...claims, sub: randomUUID() })}.${signature}`), 403, "bad_jwt"],
  ["an expired token", bearing(await server.sign(claims, -1)), 401, "bad_jwt"],
])("GET /user, PUT /user and POST /logout refuse %s", async (_who, init, status, code) => {
  const put = { ...post('{"data":{"full_name":"Mallory"}}'), method: "PUT" };
  for (const [path, more] of [
    ["/user", {}],
    ["/user", { ...put, headers: { ...json, ...init.headers } }],
    ["/logout", { method: "POST" }],
  ] as [string, RequestInit][]) {
    const reply = await call(path, { ...init, ...more });
    expect([reply.status, await reply.json()]).toEqual([
      status,
      { code: status, error_code: code, msg: expect.any(String) },
    ]);
  }
  expect((await ada.client.auth.getUser()).data.user?.user_metadata).toEqual({ full_name: "Ada" });
});

test("Spec §8: an expired token is answered with 401 and a message containing 'jwt expired'", async () => {
  const { error } = await server.client().auth.getUser(await server.sign(claims, -1));
  expect(error?.status).toBe(401);
  expect(error?.message).toContain("jwt expired");
});

test("signing in and refreshing work with an expired bearer left over in the browser", async () => {
  const token = async (grant: string, body: object) => {
    const headers = { ...json, authorization: `Bearer ${await server.sign(claims, -1)}` };
    const reply = await call(`/token?grant_type=${grant}`, post(JSON.stringify(body), headers));
    return { status: reply.status, body: (await reply.json()) as { refresh_token?: string } };
  };
  const signedIn = await token("password", { email: ada.email, password: ada.password });
  expect(signedIn.status).toBe(200);
  const { refresh_token } = signedIn.body;
  expect(await token("refresh_token", { refresh_token })).toMatchObject({
    status: 200,
    body: { refresh_token: expect.not.stringMatching(`^${refresh_token}$`) },
  });
});

test.each([
  [undefined, { code: 400, error_code: "bad_json", msg: "Could not parse request body as JSON" }],
  ["2023-01-01", { code: 400, error_code: "bad_json", msg: "Could not parse request body as JSON" }],
  ["nonsense", { code: 400, error_code: "bad_json", msg: "Could not parse request body as JSON" }],
  ["2024-01-01", { code: "bad_json", message: "Could not parse request body as JSON" }],
])("a client of version %s gets errors in its own shape", async (version, body) => {
  const reply = await call("/signup", post("{", version ? { ...json, "x-supabase-api-version": version } : json));
  expect(await reply.json()).toEqual(body);
  expect(reply.headers.get("x-supabase-api-version")).toBe(version === "2024-01-01" ? version : null);
});

test("settings list the sign-in methods, and the health check answers", async () => {
  expect(await (await call("/settings")).json()).toMatchObject({
    external: { email: true, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: true,
  });
  expect((await call("/health")).status).toBe(200);
});

test("public keys may be cached for ten minutes, and tokens never", async () => {
  expect((await call("/.well-known/jwks.json")).headers.get("cache-control")).toBe("public, max-age=600");
  expect((await call("/signup", post(credentials()))).headers.get("cache-control")).toBe("no-store");
});

test.each(["/auth/v1/token", "/rest/v1/memories", "/storage/v1/upload/resumable", "/functions/v1/open-share"])(
  "a page of any origin may ask to call %s, with any header and no cookie",
  async (path) => {
    const requestHeaders =
      "authorization,apikey,content-type,x-client-info,x-skies-app,prefer,range,tus-resumable,upload-offset";
    const reply = await fetch(server.url + path, {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": requestHeaders,
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-headers")).toBe(requestHeaders);
    expect(reply.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  },
);

test("an address that signs in or up too often is limited, and can still refresh", async () => {
  const strict = await testServer({ SIGN_IN_LIMIT: "2" });
  const client = strict.client();
  const person = { email: "ada@example.com", password: "a good password" };
  const { data } = await client.auth.signUp(person);
  for (let tries = 0; tries < 2; tries++) expect((await client.auth.signInWithPassword(person)).error).toBeNull();
  expect((await client.auth.signInWithPassword(person)).error).toMatchObject({
    status: 429,
    code: "over_request_rate_limit",
    message: "Request rate limit reached",
  });
  const refreshed = await client.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  expect(refreshed.error).toBeNull();
  await client.auth.signUp({ ...person, email: "bob@example.com" });
  const third = await client.auth.signUp({ ...person, email: "eve@example.com" });
  expect(third.error?.code).toBe("over_request_rate_limit");
});

test.each([
  ["POST", "/passkeys/authentication/options"],
  ["GET", "/passkeys"],
  ["GET", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes/verify"],
  ["DELETE", "/admin/users/a/passkeys/b"],
  ["POST", "/sso"],
  ["POST", "/sso/saml/acs"],
  ["GET", "/admin/sso/providers"],
  ["GET", "/oauth/authorize?client_id=x"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/clients/register"],
  ["GET", "/user/oauth/grants"],
  ["POST", "/admin/oauth/clients"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/openid-configuration"],
  ["POST", "/admin/custom-providers"],
  ["POST", "/magiclink"],
])("%s %s is not supported", async (method, path) => {
  const form = method === "POST" ? { body: new URLSearchParams({ grant_type: "password" }) } : {};
  const response = await call(path, { method, ...form });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: { code: 400, error_code: "not_supported", msg: expect.stringMatching(/\.$/) },
  });
});

test("an anonymous sign-in is refused with the platform's code", async () => {
  const { error } = await server.client().auth.signInAnonymously();
  expect(error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
});
