import { randomUUID } from "node:crypto";
import type { SignUpWithPasswordCredentials } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const newEmail = () => `${randomUUID()}@example.com`;
const password = "a good password";

const signIn = (email: string, password: string) => server.client().auth.signInWithPassword({ email, password });
const countUsers = async () =>
  (await server.db.query<{ n: number }>("select count(*) as n from auth.users")).rows[0]?.n;

test("someone who registers is signed in at once, under the claims that row policies read", async () => {
  const ada = await signUp(server, "Ada Rossi");
  const { data } = await ada.client.auth.getUser();
  expect(data.user).toMatchObject({
    id: ada.id,
    email: ada.email,
    role: "authenticated",
    aud: "authenticated",
    is_anonymous: false,
    user_metadata: { full_name: "Ada Rossi" },
    app_metadata: { provider: "email", providers: ["email"] },
    identities: [{ id: ada.id, user_id: ada.id, provider: "email", identity_data: { sub: ada.id, email: ada.email } }],
  });
  expect(Date.parse(data.user?.email_confirmed_at ?? "")).not.toBeNaN();

  // The client itself verifies the token with the published keys.
  const { data: checked } = await ada.client.auth.getClaims();
  expect(checked?.header.alg).toBe("ES256");
  expect(checked?.claims).toMatchObject({
    sub: ada.id,
    role: "authenticated",
    aud: "authenticated",
    email: ada.email,
    phone: "",
    aal: "aal1",
    amr: [{ method: "password", timestamp: expect.any(Number) }],
    is_anonymous: false,
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_metadata: { full_name: "Ada Rossi" },
  });
});

test("a session says when it ends and contains no password hash", async () => {
  const { data } = await server.client().auth.signUp({ email: newEmail(), password });
  expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
  expect(Math.abs((data.session?.expires_at ?? 0) - Date.now() / 1000 - 3600)).toBeLessThan(60);
  expect(JSON.stringify(data)).not.toMatch(/argon2|encrypted_password/);
});

test("an address is the same in capitals and with spaces around it", async () => {
  const email = newEmail();
  const { data } = await server.client().auth.signUp({ email: ` ${email.toUpperCase()} `, password });
  expect(data.user?.email).toBe(email);
  expect((await signIn(email.toUpperCase(), password)).data.user?.id).toBe(data.user?.id);
});

test("Spec §5: sign-up and sign-in work with a phone and a password", async () => {
  const phone = `+39 02 ${Math.floor(1e8 * (1 + Math.random()))}`;
  const { data, error } = await server.client().auth.signUp({ phone, password });
  expect(error).toBeNull();
  const digits = phone.replaceAll(/\D/g, "");
  expect(data.user).toMatchObject({ phone: digits, email: "", app_metadata: { provider: "phone" } });
  const again = await server.client().auth.signInWithPassword({ phone: digits, password });
  expect(again.data.user?.id).toBe(data.user?.id);
});

test("an unknown address and a wrong password get the same answer", async () => {
  const ada = await signUp(server, "Ada");
  const answers = await Promise.all(
    [newEmail(), ada.email].map(async (email) => {
      const reply = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: "not the password" }),
      });
      return { status: reply.status, body: await reply.text() };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect((await signIn(ada.email, "not the password")).error).toMatchObject({
    status: 400,
    code: "invalid_credentials",
    message: "Invalid login credentials",
  });
});

test("an account without a password cannot be signed in to by password", async () => {
  const ada = await signUp(server, "Ada");
  await server.db.query("update auth.users set encrypted_password = null where id = $1", [ada.id]);
  expect((await signIn(ada.email, ada.password)).error?.code).toBe("invalid_credentials");
});

interface Attempt {
  email?: string;
  phone?: string;
  password: string;
  data?: object;
}

const existing = await signUp(server, "Known");
test.each<[string, Attempt, number, string]>([
  [
    "with an address that has an account",
    { email: existing.email.toUpperCase(), password },
    422,
    "user_already_exists",
  ],
  ["with a password of five characters", { email: newEmail(), password: "five5" }, 422, "weak_password"],
  ["with no password", { email: newEmail(), password: "" }, 400, "validation_failed"],
  ["with no address", { email: "", password }, 400, "validation_failed"],
  ["with an address without an at-sign", { email: "ada.example.com", password }, 400, "validation_failed"],
  ["with an address without a dot", { email: "ada@localhost", password }, 400, "validation_failed"],
  ["with two at-signs", { email: "ada@b@example.com", password }, 400, "validation_failed"],
  ["with letters for a phone number", { phone: "call me maybe", password }, 400, "validation_failed"],
  ["with 8 KB of metadata", { email: newEmail(), password, data: { bio: "x".repeat(9000) } }, 422, "validation_failed"],
  ["with a NUL in the metadata", { email: newEmail(), password, data: { bio: "\0" } }, 400, "validation_failed"],
])("signing up %s is refused, and leaves nothing behind", async (_what, { data, ...credentials }, status, code) => {
  const before = await countUsers();
  const { error } = await server
    .client()
    .auth.signUp({ ...credentials, options: { data } } as SignUpWithPasswordCredentials);
  expect(error).toMatchObject({ status, code });
  expect(await countUsers()).toBe(before);
});

test("Spec §8: 'You must provide either an email or phone number and a password'", async () => {
  const { error } = await server.client().auth.signInAnonymously();
  expect(error?.message).toBe("You must provide either an email or phone number and a password");
});

test("Spec §5: 'Password must be at least 6 characters'", async () => {
  const { error } = await server.client().auth.signUp({ email: newEmail(), password: "five5" });
  expect(error).toMatchObject({
    name: "AuthWeakPasswordError",
    message: "Password must be at least 6 characters",
    reasons: ["length"],
  });
});

test("one address that registers twice at the same moment has one account", async () => {
  const email = newEmail();
  const both = await Promise.all([1, 2].map(() => server.client().auth.signUp({ email, password })));
  expect(both.map(({ error }) => error?.code ?? "signed up").sort()).toEqual(["signed up", "user_already_exists"]);
});

test("a changed name is stored in the metadata and the profile; a null value removes a field", async () => {
  const ada = await signUp(server, "Ada");
  await ada.client.auth.updateUser({ data: { theme: "night" } });
  const { data } = await ada.client.auth.updateUser({ data: { full_name: "Ada Lovelace" } });
  expect(data.user?.user_metadata).toEqual({ full_name: "Ada Lovelace", theme: "night" });
  const { data: removed } = await ada.client.auth.updateUser({ data: { theme: null } });
  expect(removed.user?.user_metadata).toEqual({ full_name: "Ada Lovelace" });
  const { rows } = await server.db.query("select full_name from profiles where id = $1", [ada.id]);
  expect(rows).toEqual([{ full_name: "Ada Lovelace" }]);
});

test("metadata that has grown too large is refused, and stays as it was", async () => {
  const ada = await signUp(server, "Ada");
  await ada.client.auth.updateUser({ data: { first: "x".repeat(5000) } });
  const { error } = await ada.client.auth.updateUser({ data: { second: "x".repeat(5000) } });
  expect(error).toMatchObject({ status: 422, code: "validation_failed" });
  const { data } = await ada.client.auth.getUser();
  expect(Object.keys(data.user?.user_metadata ?? {}).sort()).toEqual(["first", "full_name"]);
});

test("a new password opens the account, the old one does not, and other devices are signed out", async () => {
  const ada = await signUp(server, "Ada");
  const phone = server.client();
  await phone.auth.signInWithPassword(ada);
  expect((await ada.client.auth.updateUser({ password: "a better password" })).error).toBeNull();
  expect((await signIn(ada.email, ada.password)).error?.code).toBe("invalid_credentials");
  expect((await signIn(ada.email, "a better password")).error).toBeNull();
  expect((await ada.client.auth.getUser()).error).toBeNull();
  expect((await phone.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
});

test.each([
  ["its current password", (ada: Person) => ({ password: ada.password }), "same_password"],
  ["a short password", () => ({ password: "five5" }), "weak_password"],
  ["a common password", () => ({ password: "Password123" }), "weak_password"],
])("changing an account to %s is refused", async (_what, change, code) => {
  const ada = await signUp(server, "Ada");
  const { error } = await ada.client.auth.updateUser(change(ada));
  expect(error).toMatchObject({ status: 422, code });
  expect((await signIn(ada.email, ada.password)).data.user?.email).toBe(ada.email);
});

test("a person cannot change fields that only the server sets", async () => {
  const ada = await signUp(server, "Ada");
  const change = { data: { role: "admin" }, app_metadata: { role: "admin" }, role: "service_role" };
  const { data } = await ada.client.auth.updateUser(change as object);
  expect(data.user).toMatchObject({ role: "authenticated", app_metadata: { provider: "email", providers: ["email"] } });
});
