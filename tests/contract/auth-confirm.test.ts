import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enqueuedTo, follow, newestTo } from "../support/mailbox.ts";
import { testServer } from "../support/server.ts";
import { waitingClient } from "../support/waiting-client.ts";

const server = await testServer({ AUTH_CONFIRM_EMAIL: "true" });
const newEmail = () => `${randomUUID()}@example.com`;
const newPhone = () => `3902${Math.floor(1e7 * (1 + Math.random() * 8))}`;
const password = "a good password";

const register = (email: string, secret = password, name = "Ada") =>
  server.client().auth.signUp({ email, password: secret, options: { data: { full_name: name } } });
const signIn = (email: string, secret = password) =>
  server.client().auth.signInWithPassword({ email, password: secret });
/** Registers a person and confirms their address. */
async function member() {
  const email = newEmail();
  await register(email);
  await follow(server, (await newestTo(server, email)).url);
  return email;
}

test("an unconfirmed address cannot sign in; the link in its email confirms it", async () => {
  const email = newEmail();
  const { data, error } = await register(email);
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user).toMatchObject({
    email,
    user_metadata: { full_name: "Ada" },
    confirmation_sent_at: expect.any(String),
  });
  expect((await signIn(email)).error).toMatchObject({ status: 400, code: "email_not_confirmed" });

  const { fragment } = await follow(server, (await newestTo(server, email, "confirm-address")).url);
  expect(fragment.type).toBe("signup");
  const { data: confirmed } = await server.client().auth.getUser(fragment.access_token);
  expect(confirmed.user).toMatchObject({
    id: data.user?.id,
    email_confirmed_at: expect.any(String),
    identities: [{ identity_data: { email_verified: true } }],
  });
  expect((await signIn(email)).error).toBeNull();
});

test("Spec §4: the welcome email is sent once the address is confirmed", async () => {
  const email = await member();
  expect((await enqueuedTo(server, email)).map(({ template }) => template)).toEqual(["confirm-address", "welcome"]);
});

test("the code confirms as well, and a second email invalidates the first code", async () => {
  const email = newEmail();
  await register(email);
  const first = await newestTo(server, email);
  expect((await server.client().auth.resend({ type: "signup", email })).error).toBeNull();
  const second = await newestTo(server, email);
  const verify = (token: string) => server.client().auth.verifyOtp({ email, token, type: "signup" });
  if (first.code !== second.code) expect((await verify(first.code)).error?.code).toBe("otp_expired");
  expect((await verify(second.code)).data.session?.access_token).toBeTruthy();
});

test("with PKCE the confirmation signs in the client that registered", async () => {
  const email = newEmail();
  const client = waitingClient(server);
  await client.auth.signUp({ email, password });
  const { parameters } = await follow(server, (await newestTo(server, email)).url);
  const { data } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect(data.user?.email).toBe(email);
});

test("a phone is confirmed by SMS", async () => {
  const phone = newPhone();
  const { data } = await server.client().auth.signUp({ phone, password });
  expect(data.session).toBeNull();
  const early = await server.client().auth.signInWithPassword({ phone, password });
  expect(early.error).toMatchObject({ status: 400, code: "phone_not_confirmed" });
  const { code } = await newestTo(server, `+${phone}`);
  expect((await server.client().auth.verifyOtp({ phone, token: code, type: "sms" })).error).toBeNull();
  expect((await server.client().auth.signInWithPassword({ phone, password })).error).toBeNull();
});

test("registering a known address gets the same answer as a new one, and its owner is sent a sign-in link", async () => {
  const [existing, unknown] = [await member(), newEmail()];
  const again = async (email: string) => {
    const reply = await fetch(`${server.url}/auth/v1/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: "another password", data: { full_name: "Eve" } }),
    });
    return { status: reply.status, shape: shapeOf(await reply.json()) };
  };
  expect(await again(existing)).toEqual(await again(unknown));
  // An invented user keeps its id, like a real one.
  const ids = async (email: string) => [await register(email), await register(email)].map(({ data }) => data.user?.id);
  for (const email of [existing, unknown]) expect(new Set(await ids(email)).size).toBe(1);
  expect((await enqueuedTo(server, existing)).at(-1)?.template).toBe("magic-link");
  expect((await signIn(existing)).error).toBeNull();
});

/** Returns the names and types of the values in a response. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

test("registering again before confirming replaces the password and the name", async () => {
  const email = newEmail();
  await register(email, "the first password", "Mallory");
  await register(email, "the second password", "Ada");
  await follow(server, (await newestTo(server, email)).url);
  expect((await signIn(email, "the first password")).error?.code).toBe("invalid_credentials");
  expect((await signIn(email, "the second password")).data.user?.user_metadata).toEqual({ full_name: "Ada" });
});

test("a stranger's password stops working when the owner signs in by a mailed code", async () => {
  const email = newEmail();
  await register(email, "the stranger's password");
  await server.client().auth.signInWithOtp({ email });
  const { code } = await newestTo(server, email, "magic-link");
  expect((await server.client().auth.verifyOtp({ email, token: code, type: "email" })).error).toBeNull();
  expect((await signIn(email, "the stranger's password")).error?.code).toBe("invalid_credentials");
});

test("settings say that addresses must be confirmed", async () => {
  const settings = await (await fetch(`${server.url}/auth/v1/settings`)).json();
  expect(settings).toMatchObject({ mailer_autoconfirm: false, phone_autoconfirm: false });
});

test("a confirmed address is sent no further confirmation", async () => {
  const email = await member();
  const before = (await enqueuedTo(server, email)).length;
  expect((await server.client().auth.resend({ type: "signup", email })).error).toBeNull();
  expect(await enqueuedTo(server, email)).toHaveLength(before);
});

test.each<[string, string, (email: string) => object]>([
  ["a magic link", "/otp", (email) => ({ email, create_user: false })],
  ["a new password", "/recover", (email) => ({ email })],
  ["another email", "/resend", (email) => ({ email, type: "signup" })],
  ["an account", "/signup", (email) => ({ email, password })],
])("asking for %s takes equally long for a known and an unknown address", async (_what, path, body) => {
  const took = async (email: string) => {
    const start = performance.now();
    const reply = await fetch(`${server.url}/auth/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body(email)),
    });
    const text = await reply.text();
    expect(reply.status).toBe(200);
    return { beats: Math.floor((performance.now() - start) / 250), body: path === "/signup" ? "" : text };
  };
  // Other load on the machine may sometimes delay either response by one interval.
  await expect
    .poll(async () => {
      const [a, b] = [await took(await member()), await took(newEmail())];
      expect(a.body).toBe(b.body);
      expect(Math.min(a.beats, b.beats)).toBeGreaterThan(0);
      return a.beats - b.beats;
    })
    .toBe(0);
});
