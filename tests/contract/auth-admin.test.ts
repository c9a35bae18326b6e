import { randomUUID } from "node:crypto";
import type { AdminUserAttributes, User } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { follow, newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { admin } = server.service().auth;
const newEmail = () => `${randomUUID()}@example.com`;
const password = "a good password";
const signIn = (email: string) => server.client().auth.signInWithPassword({ email, password });

test("the service makes an account that can be used at once", async () => {
  const email = newEmail();
  const { data, error } = await admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: { full_name: "Ada" },
    app_metadata: { role: "admin" },
  });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    email,
    email_confirmed_at: expect.any(String),
    user_metadata: { full_name: "Ada" },
    app_metadata: { provider: "email", providers: ["email"], role: "admin" },
  });
  expect((await signIn(email)).data.user?.id).toBe(data.user?.id);
  expect((await admin.createUser({ email })).error).toMatchObject({ status: 422, code: "email_exists" });
});

test("an account created without email_confirm must be confirmed before sign-in", async () => {
  const email = newEmail();
  const { data } = await admin.createUser({ email, password });
  expect((await signIn(email)).error?.code).toBe("email_not_confirmed");
  await admin.updateUserById(data.user?.id ?? "", { email_confirm: true });
  expect((await signIn(email)).error).toBeNull();
});

test("the service finds, lists and counts people", async () => {
  const ada = await signUp(server, "Ada");
  expect((await admin.getUserById(ada.id)).data.user?.email).toBe(ada.email);
  await signUp(server, "Bob");
  const first = await admin.listUsers({ page: 1, perPage: 1 });
  expect(first.error).toBeNull();
  expect(first.data).toMatchObject({
    aud: "authenticated",
    nextPage: 2,
    users: [{ email: expect.stringMatching("bob") }],
  });
  const all = await admin.listUsers();
  expect(all.data).toMatchObject({ total: all.data.users.length, nextPage: null });
});

test("the service changes a person's address and metadata; a null value removes a field", async () => {
  const ada = await signUp(server, "Ada");
  const email = newEmail();
  const { data } = await admin.updateUserById(ada.id, {
    email,
    app_metadata: { role: "admin" },
    user_metadata: { full_name: null },
  });
  expect(data.user).toMatchObject({ email, user_metadata: {}, app_metadata: { role: "admin", providers: ["email"] } });
  expect(data.user?.identities?.[0]?.identity_data?.email).toBe(email);
  const other = await signUp(server, "Bob");
  expect((await admin.updateUserById(ada.id, { email: other.email })).error?.code).toBe("email_exists");
});

test.each<[string, AdminUserAttributes, object]>([
  ["nothing", {}, {}],
  ["one field of the person's metadata", { user_metadata: { town: "Bari" } }, { user_metadata: { town: "Bari" } }],
  ["one field of the service's metadata", { app_metadata: { desk: 2 } }, { app_metadata: { desk: 2 } }],
  ["a ban", { ban_duration: "48h" }, { banned_until: expect.any(String) }],
  ["a lifted ban", { ban_duration: "none" }, { banned_until: undefined }],
  ["a new password", { password: "quite another password" }, {}],
  ["unconfirmed addresses", { email_confirm: false, phone_confirm: false }, {}],
])("an update with %s keeps all other fields of an account", async (_what, sent, changes) => {
  const { data: created } = await admin.createUser({
    email: newEmail(),
    phone: `44${Math.floor(7_000_000_000 + Math.random() * 999_999_999)}`,
    password,
    email_confirm: true,
    phone_confirm: true,
    user_metadata: { full_name: "Ada", nested: { a: 1 } },
    app_metadata: { role: "admin" },
    ban_duration: "24h",
  });
  const before = created.user as User;
  const { data, error } = await admin.updateUserById(before.id, sent);
  expect(error).toBeNull();
  const expected: Record<string, unknown> = { ...before, ...changes };
  for (const key of ["user_metadata", "app_metadata"] as const) expected[key] = { ...before[key], ...sent[key] };
  const times = { updated_at: expect.any(String), identities: expect.any(Array) };
  expect({ ...data.user, ...times }).toEqual({ ...expected, ...times });
  expect((await admin.getUserById(before.id)).data.user?.identities).toHaveLength(2);
});

test("a password set by the service ends every session", async () => {
  const ada = await signUp(server, "Ada");
  await admin.updateUserById(ada.id, { password });
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await signIn(ada.email)).error).toBeNull();
});

test("a banned person is signed out and cannot sign in by password, link or refresh until the ban is lifted", async () => {
  const ada = await signUp(server, "Ada");
  const { data } = await ada.client.auth.getSession();
  await server.client().auth.signInWithOtp({ email: ada.email });
  const { url } = await newestTo(server, ada.email, "magic-link");
  const banned = await admin.updateUserById(ada.id, { ban_duration: "24h" });
  expect(Date.parse(banned.data.user?.banned_until ?? "")).toBeGreaterThan(Date.now());
  expect((await server.client().auth.signInWithPassword(ada)).error).toMatchObject({
    status: 400,
    code: "user_banned",
  });
  expect((await follow(server, url)).fragment.error_code).toBe("user_banned");
  const refreshed = await server.client().auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  expect(refreshed.error?.code).toBe("refresh_token_not_found");
  await admin.updateUserById(ada.id, { ban_duration: "none" });
  expect((await server.client().auth.signInWithPassword(ada)).error).toBeNull();
});

test("a deleted account is gone, with its sessions", async () => {
  const ada = await signUp(server, "Ada");
  expect((await admin.deleteUser(ada.id)).error).toBeNull();
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await admin.getUserById(ada.id)).error).toMatchObject({ status: 404, code: "user_not_found" });
  expect((await admin.deleteUser(ada.id)).error).toMatchObject({ status: 404, code: "user_not_found" });
});

test("an invitation is mailed, and its link signs the guest in", async () => {
  const email = newEmail();
  const { data, error } = await admin.inviteUserByEmail(email, { data: { full_name: "Guest" } });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { full_name: "Guest" } });
  const { fragment } = await follow(server, (await newestTo(server, email, "confirm-address")).url);
  expect(fragment.type).toBe("invite");
  expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ status: 422, code: "email_exists" });
});

test.each(["magiclink", "recovery"] as const)(
  "a %s link made for the service works and is mailed to nobody",
  async (type) => {
    const ada = await signUp(server, "Ada");
    const { data, error } = await admin.generateLink({ type, email: ada.email });
    expect(error).toBeNull();
    expect(data.properties).toMatchObject({ verification_type: type, email_otp: expect.stringMatching(/^\d{6}$/) });
    expect(data.user?.id).toBe(ada.id);
    const { fragment } = await follow(server, data.properties?.action_link ?? "");
    expect(fragment.type).toBe(type);
    expect((await newestTo(server, ada.email)).link).toBe("");
  },
);

test("a generated sign-up link creates and confirms an account; a recovery link needs one", async () => {
  const email = newEmail();
  const { data } = await admin.generateLink({ type: "signup", email, password });
  const hashed = data.properties?.hashed_token ?? "";
  expect((await server.client().auth.verifyOtp({ token_hash: hashed, type: "signup" })).error).toBeNull();
  expect((await signIn(email)).error).toBeNull();
  const unknown = await admin.generateLink({ type: "recovery", email: newEmail() });
  expect(unknown.error).toMatchObject({ status: 404, code: "user_not_found" });
});

const ada = await signUp(server, "Ada");
test.each<[string, string, string]>([
  ["GET", "/admin/users", ""],
  ["POST", "/admin/users", `{"email":"${newEmail()}"}`],
  ["GET", `/admin/users/${ada.id}`, ""],
  ["PUT", `/admin/users/${ada.id}`, '{"app_metadata":{"role":"admin"}}'],
  ["DELETE", `/admin/users/${ada.id}`, ""],
  ["POST", "/admin/generate_link", `{"type":"magiclink","email":"${ada.email}"}`],
  ["POST", "/admin/rotate_keys", "{}"],
  ["POST", "/invite", `{"email":"${newEmail()}"}`],
])("%s %s is for the service alone", async (method, path, body) => {
  const before = await server.db.query("select count(*) as n from auth.users");
  const forged = await server.sign({ role: "service_role" });
  for (const [bearer, status, code] of [
    [undefined, 401, "no_authorization"],
    [server.keys.publishable, 403, "not_admin"],
    [ada.token, 403, "not_admin"],
    [await server.sign({ role: "anon", share: { link: randomUUID(), version: 1 } }), 403, "not_admin"],
    [forged, 403, "bad_jwt"],
  ] as const) {
    const reply = await fetch(`${server.url}/auth/v1${path}`, {
      method,
      headers: { "content-type": "application/json", ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
      ...(method === "GET" ? {} : { body }),
    });
    expect([reply.status, ((await reply.json()) as { error_code: string }).error_code]).toEqual([status, code]);
  }
  expect(await server.db.query("select count(*) as n from auth.users")).toEqual(before);
  expect((await ada.client.auth.getUser()).data.user?.app_metadata.role).toBeUndefined();
});

test.each<[string, string, string, object, number, string]>([
  ["a missing address", "POST", "/admin/users", {}, 400, "validation_failed"],
  ["an invalid ban duration", "PUT", `/admin/users/${ada.id}`, { ban_duration: "a while" }, 400, "validation_failed"],
  ["an invalid id", "GET", "/admin/users/ada", {}, 400, "validation_failed"],
  [
    "an unknown kind of link",
    "POST",
    "/admin/generate_link",
    { type: "magic", email: ada.email },
    400,
    "validation_failed",
  ],
  [
    "a weak password for a sign-up link",
    "POST",
    "/admin/generate_link",
    { type: "signup", email: newEmail(), password: "qwerty" },
    422,
    "weak_password",
  ],
  ["a soft delete", "DELETE", `/admin/users/${ada.id}`, { should_soft_delete: true }, 422, "not_supported"],
  [
    "a link that changes an address",
    "POST",
    "/admin/generate_link",
    { type: "email_change_new", email: ada.email },
    400,
    "not_supported",
  ],
])("even the service is refused %s", async (_what, method, path, body, status, code) => {
  const reply = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${server.keys.secret}` },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
  });
  expect([reply.status, ((await reply.json()) as { error_code: string }).error_code]).toEqual([status, code]);
});

test("the secret as the API key alone is the service, and no other key is", async () => {
  const list = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/auth/v1/admin/users`, { headers })).status;
  const { secret, publishable } = server.keys;
  const ada = await signUp(server, "Ada");
  expect(await list({ apikey: secret })).toBe(200);
  expect(await list({ apikey: publishable })).toBe(401);
  expect(await list({ apikey: ada.token })).toBe(401);
  expect(await list({ apikey: secret, authorization: `Bearer ${ada.token}` })).toBe(403);
  expect(await list({ apikey: secret, authorization: `Bearer ${publishable}` })).toBe(403);
  expect(await list({})).toBe(401);
});
