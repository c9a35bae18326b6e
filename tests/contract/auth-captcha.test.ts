import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

// Hides the expected log entry that the bot check gave no verdict.
const server = await testServer({ LOG_LEVEL: "fatal" }, undefined, { sandboxes: true });
const strict = await testServer({ AUTH_BOT_CHECK: "true" }, server, { sandboxes: true });

const newEmail = () => `${randomUUID()}@example.com`;
const password = "a long enough password";
const ada = await signUp(server, "Ada");
const accounts = async (email: string) =>
  (await server.db.query("select from auth.users where email = $1", [email])).rows.length;

/** Every call that a bot would try, made with the official client. */
const calls = {
  signUp: (on = strict, captchaToken?: string, email = newEmail()) =>
    on.client().auth.signUp({ email, password, options: { captchaToken } }),
  signInWithPassword: (on = strict, captchaToken?: string) =>
    on.client().auth.signInWithPassword({ email: ada.email, password: ada.password, options: { captchaToken } }),
  signInWithOtp: (on = strict, captchaToken?: string) =>
    on.client().auth.signInWithOtp({ email: newEmail(), options: { captchaToken } }),
  resetPasswordForEmail: (on = strict, captchaToken?: string) =>
    on.client().auth.resetPasswordForEmail(newEmail(), { captchaToken }),
  resend: (on = strict, captchaToken?: string) =>
    on.client().auth.resend({ type: "signup", email: newEmail(), options: { captchaToken } }),
};
const names = Object.keys(calls) as (keyof typeof calls)[];

test.each(names)("%s works with a token of the widget, where one is required", async (name) => {
  expect((await calls[name](strict, randomUUID())).error).toBeNull();
});

test.each(names)("%s is refused without a token, where one is required", async (name) => {
  expect((await calls[name](strict)).error).toMatchObject({
    status: 400,
    code: "captcha_failed",
    message: "captcha protection: request disallowed (no captcha_token found)",
  });
});

test.each(names)("%s works without a token, where none is required", async (name) => {
  expect((await calls[name](server)).error).toBeNull();
});

test.each(names)("%s is refused with a token that is not good, required or not", async (name) => {
  for (const on of [server, strict]) {
    expect((await calls[name](on, "refuse")).error).toMatchObject({
      status: 400,
      code: "captcha_failed",
      message: "captcha protection: request disallowed (invalid-input-response)",
    });
  }
});

test("a token works for one sign-up only", async () => {
  const [token, second] = [randomUUID(), newEmail()];
  expect((await calls.signUp(strict, token)).error).toBeNull();
  expect((await calls.signUp(strict, token, second)).error).toMatchObject({
    code: "captcha_failed",
    message: "captcha protection: request disallowed (timeout-or-duplicate)",
  });
  expect(await accounts(second)).toBe(0);
});

test("a malformed request does not use up its token", async () => {
  const captchaToken = randomUUID();
  const malformed = await strict.client().auth.signUp({ email: "ada", password, options: { captchaToken } });
  expect(malformed.error?.code).toBe("validation_failed");
  expect((await calls.signUp(strict, captchaToken)).error).toBeNull();
});

test("sign-up fails while the bot check gives no verdict, and no account is created", async () => {
  const email = newEmail();
  const { error } = await calls.signUp(server, "hang-up", email);
  expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 500 });
  expect(await accounts(email)).toBe(0);
});

test("refreshing a session and exchanging a code need no token", async () => {
  const { data } = await calls.signInWithPassword(strict, randomUUID());
  const client = strict.client();
  const refreshed = await client.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  expect(refreshed.error).toBeNull();
  const exchange = await fetch(`${strict.url}/auth/v1/token?grant_type=pkce`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth_code: randomUUID(), code_verifier: "x".repeat(43) }),
  });
  expect(await exchange.json()).not.toMatchObject({ error_code: "captcha_failed" });
});

test("a change of address is sent again without a token", async () => {
  const { error } = await strict.client().auth.resend({ type: "email_change", email: newEmail() });
  expect(error).toBeNull();
});

test("the service key needs no token; any other bearer does", async () => {
  const body = { email: newEmail(), password };
  const post = (headers: Record<string, string>) =>
    fetch(`${strict.url}/auth/v1/signup`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  for (const authorization of ["Bearer garbage", `Bearer ${ada.token}`, `Bearer ${strict.keys.publishable}`]) {
    expect((await post({ authorization })).status).toBe(400);
  }
  expect((await post({ authorization: `Bearer ${strict.keys.secret}` })).status).toBe(200);
});

test.each([
  ["a text", "token"],
  ["a list", []],
  ["a number for a token", { captcha_token: 7 }],
  ["blanks for a token", { captcha_token: "   " }],
  ["a token of 3,000 characters", { captcha_token: "x".repeat(3000) }],
])("%s is refused as a captcha token", async (_what, gotrue_meta_security) => {
  const email = newEmail();
  const reply = await fetch(`${strict.url}/auth/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password, gotrue_meta_security }),
  });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ code: 400, error_code: "captcha_failed" });
  expect(await accounts(email)).toBe(0);
});

test("a server that requires tokens does not start without a Turnstile secret", async () => {
  await expect(testServer({ AUTH_BOT_CHECK: "true" }, server)).rejects.toThrow("TURNSTILE_SECRET_KEY");
});
