import { randomUUID } from "node:crypto";
import type { Provider } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { enqueuedTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { signInBy, socialServer, visit } from "../support/social.ts";
import { openVisitor } from "../support/visitor.ts";

const server = await socialServer();
const callback = `${server.publicUrl}/auth/callback`;
const newEmail = () => `${randomUUID()}@example.com`;

describe.each<Provider>(["google", "apple", "facebook"])("%s", (provider) => {
  test("signs a new person in with an account, a session and a welcome email", async () => {
    const login = newEmail();
    const client = server.app();
    const { at, parameters, fragment } = await signInBy(server, client, provider, { login });
    expect({ at, parameters, fragment }).toEqual({
      at: callback,
      parameters: { for: "social", code: expect.any(String) },
      fragment: {},
    });
    const { data, error } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: "bearer", provider_token: expect.any(String) });
    expect(data.user).toMatchObject({
      email: login,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider, providers: [provider] },
      identities: [{ provider, identity_data: { email: login, email_verified: true } }],
    });
    expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ aal: "aal1", amr: [{ method: "oauth" }] });
    expect((await enqueuedTo(server, login)).map(({ template }) => template)).toEqual(["welcome"]);
  });

  test("signs the same person in to the same account again", async () => {
    const login = newEmail();
    const ids = [];
    for (let visits = 0; visits < 2; visits++) {
      const client = server.app();
      const { parameters } = await signInBy(server, client, provider, { login });
      ids.push((await client.auth.exchangeCodeForSession(parameters.code ?? "")).data.user?.id);
    }
    expect(ids[0]).toBeDefined();
    expect(ids[0]).toBe(ids[1]);
  });

  test("returns a readable error when the sign-in is cancelled", async () => {
    const { at, parameters, fragment } = await signInBy(server, server.app(), provider, { end: "cancel" });
    const refusal = {
      error: "access_denied",
      error_code: "access_denied",
      error_description: "The sign-in was cancelled",
    };
    expect({ at, parameters, fragment }).toEqual({
      at: callback,
      parameters: { for: "social", ...refusal },
      fragment: refusal,
    });
  });

  test("returns an error when the provider fails", async () => {
    const { fragment } = await signInBy(server, server.app(), provider, { end: "error" });
    expect(fragment).toMatchObject({ error: "server_error", error_code: "bad_oauth_callback" });
  });

  test("returns an error when the provider refuses the code, and creates no account", async () => {
    const { fragment } = await signInBy(server, server.app(), provider, { login: "refused@sandbox.example" });
    expect(fragment).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
    expect((await server.db.query("select from auth.users where email like 'refused@%'")).rows).toEqual([]);
  });
});

test("the settings list the providers", async () => {
  const reply = await fetch(`${server.url}/auth/v1/settings`);
  expect((await reply.json()).external).toMatchObject({ google: true, apple: true, facebook: true, email: true });
});

test("a client without PKCE gets the session in the fragment", async () => {
  const { fragment, parameters } = await signInBy(server, server.client(), "google", { login: newEmail() });
  expect(parameters).toEqual({ for: "social" });
  expect(fragment).toMatchObject({ token_type: "bearer", expires_in: "3600", refresh_token: expect.any(String) });
  expect(fragment.provider_token).toBeTruthy();
  expect((await server.client().auth.getUser(fragment.access_token)).error).toBeNull();
});

test("the authorization URL can be returned as JSON, with the client's parameters", async () => {
  const wishes =
    "scopes=calendar%20email&prompt=consent&login_hint=ada%40sandbox.example&redirect_uri=https%3A%2F%2Fevil.example";
  const reply = await fetch(`${server.url}/auth/v1/authorize?provider=google&skip_http_redirect=true&${wishes}`);
  const { url } = await reply.json();
  const parameters = Object.fromEntries(new URL(url).searchParams);
  expect(parameters).toMatchObject({
    redirect_uri: `${server.publicUrl}/auth/v1/callback`,
    prompt: "consent",
    login_hint: "ada@sandbox.example",
    code_challenge_method: "S256",
    response_type: "code",
  });
  expect(parameters.scope?.split(" ")).toEqual(expect.arrayContaining(["openid", "email", "profile", "calendar"]));
  expect(reply.headers.get("set-cookie")).toMatch(
    /^oauth-[\w-]+=[\w-]{43}; Path=\/auth\/v1\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
});

test("the name that Apple sends once, beside its token, becomes the account's name", async () => {
  const client = server.app();
  const more = { user: JSON.stringify({ name: { firstName: "Ada", lastName: "Byron" }, email: "other@example.com" }) };
  const login = "nameless@sandbox.example";
  const { parameters } = await signInBy(server, client, "apple", { login }, { more });
  const { data } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect(data.user).toMatchObject({ email: login, user_metadata: { full_name: "Ada Byron" } });
  const again = server.app();
  const { parameters: answer } = await signInBy(server, again, "apple", { login });
  const { data: second } = await again.auth.exchangeCodeForSession(answer.code ?? "");
  expect(second.user?.identities).toMatchObject([{ provider: "apple", identity_data: { full_name: "Ada Byron" } }]);
});

test("two sign-ins started side by side in one browser both succeed", async () => {
  const visitor = openVisitor();
  const [one, two] = [server.app(), server.app()];
  const addresses = await Promise.all(
    [one, two].map((client) =>
      client.auth.signInWithOAuth({ provider: "google", options: { skipBrowserRedirect: true } }),
    ),
  );
  const pages = [];
  for (const { data } of addresses) pages.push(await visitor.go(data.url ?? ""));
  for (const [index, page] of pages.entries()) {
    const { parameters } = visitor.said(await visitor.go(page.url, { login: "ada@sandbox.example" }));
    const client = [one, two][index];
    expect((await client?.auth.exchangeCodeForSession(parameters.code ?? ""))?.error).toBeNull();
  }
  expect(visitor.cookies().filter((name) => name.startsWith("oauth-"))).toEqual([]);
});

describe("an account that has the same address", () => {
  test("is signed in to if both sides have verified the address", async () => {
    const ada = await signUp(server, "Ada");
    const client = server.app();
    const { parameters } = await signInBy(server, client, "google", { login: ada.email });
    const { data } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
    expect(data.user).toMatchObject({ id: ada.id, user_metadata: { full_name: "Ada" } });
    expect(data.user?.app_metadata.providers).toEqual(["email", "google"]);
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(["email", "google"]);
    const byPassword = await server.client().auth.signInWithPassword({ email: ada.email, password: ada.password });
    expect(byPassword.data.user?.id).toBe(ada.id);
  });

  test("is not signed in to if the provider has not verified the address, and nothing is written", async () => {
    const ada = await signUp(server, "Ada");
    const before = await enqueuedTo(server, ada.email);
    const { fragment } = await signInBy(server, server.app(), "google", { login: `unverified+${ada.email}` });
    expect(fragment).toMatchObject({ error: "invalid_request", error_code: "provider_email_needs_verification" });
    const { data } = await server.client().auth.getUser(ada.token);
    expect(data.user?.identities).toHaveLength(1);
    expect(await enqueuedTo(server, ada.email)).toEqual(before);
  });

  test("a new person without a verified address gets the same error", async () => {
    const login = newEmail();
    const { fragment } = await signInBy(server, server.app(), "google", { login: `unverified+${login}` });
    expect(fragment.error_code).toBe("provider_email_needs_verification");
    expect((await server.db.query("select from auth.users where email = $1", [login])).rows).toEqual([]);
    const silent = await signInBy(server, server.app(), "facebook", { login: "no-email@sandbox.example" });
    expect(silent.fragment.error_code).toBe("provider_email_needs_verification");
  });

  test("loses its password and belongs to the provider's person if it was never confirmed", async () => {
    const email = newEmail();
    const { data: made } = await server.service().auth.admin.createUser({
      email,
      password: "a squatter's password",
      user_metadata: { full_name: "Squatter" },
    });
    const client = server.app();
    const { parameters } = await signInBy(server, client, "google", { login: email });
    const { data } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
    expect(data.user).toMatchObject({ id: made.user?.id, user_metadata: { full_name: email.split("@")[0] } });
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(["google"]);
    const squatter = await server.client().auth.signInWithPassword({ email, password: "a squatter's password" });
    expect(squatter.error?.code).toBe("invalid_credentials");
  });

  test("asks for its second factor as after a password", async () => {
    const { protect } = await import("../support/second-factor.ts");
    const ada = await signUp(server, "Ada");
    await protect(server, ada);
    const client = server.app();
    const { parameters } = await signInBy(server, client, "google", { login: ada.email });
    await client.auth.exchangeCodeForSession(parameters.code ?? "");
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  });
});

test("a banned person is refused", async () => {
  const ada = await signUp(server, "Ada");
  await server.service().auth.admin.updateUserById(ada.id, { ban_duration: "1h" });
  const { fragment } = await signInBy(server, server.app(), "google", { login: ada.email });
  expect(fragment).toMatchObject({ error_code: "user_banned" });
});

test("without a redirect URL, sign-in returns to the app's callback", async () => {
  const visitor = openVisitor();
  const { at } = await visit(visitor, `${server.publicUrl}/auth/v1/authorize?provider=google`, { end: "cancel" });
  expect(at).toBe(callback);
});
