import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { follow, newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({
  PUBLIC_URL: "https://skies.example",
  AUTH_REDIRECT_URLS: "https://app.example/in, skies.app:/callback",
});
const ada = await signUp(server, "Ada");
const email = ada.email;

const json = { "content-type": "application/json" };
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}/auth/v1${path}`, { redirect: "manual", ...init });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(path, {
    method: "POST",
    headers: { ...json, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const written = async () =>
  (
    await server.db.query(`select (select count(*) from auth.users) as users, (select count(*) from auth.sessions) as sessions,
      (select count(*) from auth.one_time_tokens) as tokens, (select count(*) from auth.flow_state) as flows,
      (select count(*) from private.outbox) as letters, (select md5(string_agg(u::text, '')) from auth.users u) as content`)
  ).rows[0];

const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
const long = "x".repeat(300);

test.each<[string, string, unknown, number, string]>([
  ["a code without a recipient", "/otp", {}, 400, "validation_failed"],
  ["a code for two recipients", "/otp", { email, phone: "390212345678" }, 400, "validation_failed"],
  ["a code for a list", "/otp", { email: [email] }, 400, "validation_failed"],
  ["a code for an object", "/otp", { email: { $ne: "" } }, 400, "validation_failed"],
  ["a code for an address with a line break", "/otp", { email: `a@b.co\r\nBcc: ${email}` }, 400, "validation_failed"],
  ["a code for an address with a NUL", "/otp", { email: "a\0@b.co" }, 400, "validation_failed"],
  ["a code for an address of 300 letters", "/otp", { email: `${long}@b.co` }, 400, "validation_failed"],
  [
    "a code for half a surrogate in a name",
    "/otp",
    { email: `${randomUUID()}@b.co`, data: { name: "\ud800" } },
    400,
    "validation_failed",
  ],
  [
    "a code with 9 KB of metadata",
    "/otp",
    { email: `${randomUUID()}@b.co`, data: { bio: "x".repeat(9000) } },
    422,
    "validation_failed",
  ],
  ["a code for a word as a phone", "/otp", { phone: "call me" }, 400, "validation_failed"],
  ["a number for create_user", "/otp", { email, create_user: 1 }, 400, "validation_failed"],
  [
    "a challenge that is too short",
    "/otp",
    { email, code_challenge: "short", code_challenge_method: "s256" },
    400,
    "validation_failed",
  ],
  ["a challenge without a method", "/otp", { email, code_challenge: challenge }, 400, "validation_failed"],
  ["a method without a challenge", "/recover", { email, code_challenge_method: "s256" }, 400, "validation_failed"],
  [
    "an unknown method",
    "/otp",
    { email, code_challenge: challenge, code_challenge_method: "md5" },
    400,
    "validation_failed",
  ],
  ["a recovery without an email address", "/recover", { phone: "390212345678" }, 400, "validation_failed"],
  ["JSON cut short", "/recover", '{"email":', 400, "bad_json"],
  ["a poisoned prototype", "/otp", '{"__proto__":{"email":"a@b.co"}}', 400, "bad_json"],
  ["a body of 65 KB", "/otp", { email, data: { bio: "x".repeat(65 * 1024) } }, 413, "validation_failed"],
  ["resending without a type", "/resend", { email }, 400, "validation_failed"],
  ["resending an unknown type", "/resend", { email, type: "recovery" }, 400, "validation_failed"],
  ["a text message to an email address", "/resend", { email, type: "sms" }, 400, "validation_failed"],
  ["an email to a phone number", "/resend", { phone: "390212345678", type: "signup" }, 400, "validation_failed"],
  ["nothing to verify", "/verify", {}, 400, "validation_failed"],
  ["a token without a type", "/verify", { token: "123456", email }, 400, "validation_failed"],
  [
    "a token of an inherited type",
    "/verify",
    { token: "123456", email, type: "constructor" },
    400,
    "validation_failed",
  ],
  ["a code to verify without a recipient", "/verify", { token: "123456", type: "email" }, 400, "validation_failed"],
  [
    "a code to verify for two recipients",
    "/verify",
    { token: "123456", type: "email", email, phone: "390212345678" },
    400,
    "validation_failed",
  ],
  [
    "an email's type for a phone number",
    "/verify",
    { token: "123456", type: "recovery", phone: "390212345678" },
    400,
    "validation_failed",
  ],
  ["a link and an address", "/verify", { token_hash: "abc", type: "email", email }, 400, "validation_failed"],
  ["an invented link", "/verify", { token_hash: "abc", type: "email" }, 403, "otp_expired"],
  ["a link with a NUL", "/verify", { token_hash: "\0", type: "email" }, 400, "validation_failed"],
  ["a wrong code", "/verify", { token: "000000", type: "email", email }, 403, "otp_expired"],
  [
    "a code for an unknown address",
    "/verify",
    { token: "000000", type: "email", email: "nobody@b.co" },
    403,
    "otp_expired",
  ],
  ["a nonce as a code", "/verify", { token: "000000", type: "reauthentication", email }, 400, "validation_failed"],
  ["no code", "/token?grant_type=pkce", {}, 400, "validation_failed"],
  ["a code without its verifier", "/token?grant_type=pkce", { auth_code: "abc" }, 400, "validation_failed"],
  ["an invented code", "/token?grant_type=pkce", { auth_code: "abc", code_verifier: "v" }, 404, "flow_state_not_found"],
  ["an inherited grant", "/token?grant_type=constructor", {}, 400, "validation_failed"],
])("%s is refused in the protocol's format, and nothing is written", async (_what, path, body, status, code) => {
  const before = await written();
  const reply = await post(path, body);
  expect([reply.status, await reply.json()]).toEqual([
    status,
    { code: status, error_code: code, msg: expect.any(String) },
  ]);
  expect(await written()).toEqual(before);
});

const hostileTargets = [
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "https:evil.example",
  "https://skies.example@evil.example/",
  "https://skies.example:secret@skies.example/",
  "https://skies.example.evil.example/",
  "https://evil.example/skies.example",
  "http://skies.example/",
  "https://skies.example:8443/",
  "https://app.example/",
  "https://app.example/inside",
  "https://app.example/in/../out",
  "http://localhost:3000/",
  "skies.app:/elsewhere",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "not an address",
  `https://skies.example/${"x".repeat(3000)}`,
];

test.each(hostileTargets)("no endpoint redirects to %s", async (target) => {
  const to = encodeURIComponent(target);
  await post("/otp", { email });
  const { link } = await newestTo(server, email, "magic-link");
  const before = await written();
  for (const sending of [
    post(`/otp?redirect_to=${to}`, { email }),
    post(`/recover?redirect_to=${to}`, { email }),
    post(`/resend?redirect_to=${to}`, { email, type: "signup" }),
    post(`/signup?redirect_to=${to}`, { email: `${randomUUID()}@b.co`, password: "a good password" }),
    post("/otp", { email, redirect_to: target }),
    call(`/verify?token=${link}&type=magiclink&redirect_to=${to}`),
    post("/verify/link", { token: link, type: "magiclink", redirect_to: target }),
  ]) {
    const reply = await sending;
    expect([reply.status, reply.headers.get("location")]).toEqual([400, null]);
    expect(await reply.json()).toMatchObject({ error_code: "validation_failed", msg: "redirect_to is not allowed" });
  }
  expect(await written()).toEqual(before);
  await server.db.query("delete from auth.attempts");
});

test.each([
  [undefined, "https://skies.example/"],
  ["https://skies.example/auth/callback?next=%2Fprofile", "https://skies.example/auth/callback?next=%2Fprofile"],
  ["https://app.example/in", "https://app.example/in"],
  ["https://app.example/in/side", "https://app.example/in/side"],
  ["skies.app:/callback", "skies.app:/callback"],
])("an emailed link may redirect to %s", async (request, expected) => {
  await post(`/otp${request ? `?redirect_to=${encodeURIComponent(request)}` : ""}`, { email });
  const { url } = await newestTo(server, email, "magic-link");
  const { status, location, fragment } = await follow(server, url);
  expect([status, location.href.split("#")[0]]).toEqual([200, expected]);
  expect(fragment.access_token).toBeTruthy();
  await server.db.query("delete from auth.attempts");
});

test.each([
  "",
  "?type=magiclink",
  "?token=abc",
  "?token=abc&type=sms",
  "?token=abc&type=toString",
  "?token=a&token=b&type=signup",
])("a verification link with the query %j is refused without a redirect", async (query) => {
  const reply = await call(`/verify${query}`);
  expect([reply.status, ((await reply.json()) as { error_code: string }).error_code]).toEqual([
    400,
    "validation_failed",
  ]);
});

/** Requests a sign-in link with this challenge. Resolves to the code to which the link redirects. */
async function codeFor(method: "s256" | "plain", code_challenge: string) {
  await server.db.query("delete from auth.attempts");
  await post("/otp", { email, code_challenge, code_challenge_method: method });
  const { parameters } = await follow(server, (await newestTo(server, email, "magic-link")).url);
  return parameters.code ?? "";
}
const exchange = async (auth_code: string, code_verifier: string) => {
  const reply = await post("/token?grant_type=pkce", { auth_code, code_verifier });
  return { status: reply.status, code: ((await reply.json()) as { error_code?: string }).error_code };
};
const verifier = "v".repeat(43);

test("a code and its verifier open a session, once", async () => {
  const code = await codeFor("s256", challenge);
  expect((await exchange(code, verifier)).status).toBe(200);
  expect(await exchange(code, verifier)).toEqual({ status: 404, code: "flow_state_not_found" });
});

test("two exchanges of one code at the same moment open one session", async () => {
  const code = await codeFor("s256", challenge);
  const both = await Promise.all([exchange(code, verifier), exchange(code, verifier)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test.each([
  ["another verifier", "w".repeat(43)],
  ["the challenge itself", challenge],
])("a code with %s opens nothing, and is used up", async (_what, wrong) => {
  const code = await codeFor("s256", challenge);
  expect(await exchange(code, wrong)).toEqual({ status: 400, code: "bad_code_verifier" });
  expect((await exchange(code, verifier)).code).toBe("flow_state_not_found");
});

test("a plain PKCE challenge is answered by the same value", async () => {
  const code = await codeFor("plain", verifier);
  expect((await exchange(code, verifier)).status).toBe(200);
});

test("a code expires after five minutes", async () => {
  const code = await codeFor("s256", challenge);
  await server.db.query("update auth.flow_state set auth_code_issued_at = now() - interval '6 minutes'");
  expect(await exchange(code, verifier)).toEqual({ status: 403, code: "flow_state_expired" });
});

test("codes are stored only as hashes", async () => {
  const code = await codeFor("s256", challenge);
  const { rows } = await server.db.query("select * from auth.flow_state");
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(code);
});

test.each<[string, string, string]>([
  ["nobody", "", "no_authorization"],
  ["a visitor's key", server.keys.publishable, "no_authorization"],
  ["the service's key", server.keys.secret, "no_authorization"],
  ["garbage", "garbage", "bad_jwt"],
  [
    "someone else's session",
    await server.sign({ role: "authenticated", sub: randomUUID(), session_id: randomUUID() }),
    "session_not_found",
  ],
])("GET /reauthenticate sends nothing for %s", async (_who, bearer, code) => {
  const before = await written();
  const reply = await call("/reauthenticate", { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  expect(((await reply.json()) as { error_code: string }).error_code).toBe(code);
  expect(await written()).toEqual(before);
});

test("a HEAD request for a nonce is refused and sends none", async () => {
  const before = await written();
  const headers = { authorization: `Bearer ${ada.token}` };
  expect((await call("/reauthenticate", { method: "HEAD", headers })).status).toBe(404);
  expect(await written()).toEqual(before);
});
