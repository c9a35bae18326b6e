import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { enqueuedTo, follow, newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { waitingClient } from "../support/waiting-client.ts";

const server = await testServer();
const newEmail = () => `${randomUUID()}@example.com`;
const callback = "http://localhost:3000/auth/callback";
const expired = { status: 403, code: "otp_expired" };

const askForLink = async (email: string, client = server.client()) => {
  const { error } = await client.auth.signInWithOtp({ email, options: { emailRedirectTo: callback } });
  expect(error).toBeNull();
  return newestTo(server, email, "magic-link");
};

test("a magic link signs in and redirects to the requested page", async () => {
  const ada = await signUp(server, "Ada");
  const { url } = await askForLink(ada.email);
  const { status, location, fragment } = await follow(server, url);
  expect([status, location.origin + location.pathname]).toEqual([200, callback]);
  expect(fragment).toMatchObject({ token_type: "bearer", expires_in: "3600", type: "magiclink" });
  const { data } = await server.client().auth.getUser(fragment.access_token);
  expect(data.user?.id).toBe(ada.id);
  expect(decodeJwt(fragment.access_token ?? "").amr).toMatchObject([{ method: "otp" }]);
});

test("the code in the email does what its link does", async () => {
  const ada = await signUp(server, "Ada");
  const { code } = await askForLink(ada.email);
  const { data, error } = await server.client().auth.verifyOtp({ email: ada.email, token: code, type: "email" });
  expect(error).toBeNull();
  expect(data.user?.id).toBe(ada.id);
});

test("a client may verify the link's token itself", async () => {
  const ada = await signUp(server, "Ada");
  const { link } = await askForLink(ada.email);
  const { data } = await server.client().auth.verifyOtp({ token_hash: link, type: "magiclink" });
  expect(data.user?.id).toBe(ada.id);
});

test("using the link or the code ends both", async () => {
  const ada = await signUp(server, "Ada");
  const { url, code, link } = await askForLink(ada.email);
  await follow(server, url);
  expect((await follow(server, url)).fragment).toEqual({
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link or code has already been used",
  });
  const { auth } = server.client();
  const used = { ...expired, message: "Email link or code has already been used" };
  expect((await auth.verifyOtp({ email: ada.email, token: code, type: "email" })).error).toMatchObject(used);
  expect((await auth.verifyOtp({ token_hash: link, type: "email" })).error).toMatchObject(used);
  const wrong = String((Number(code) + 1) % 1e6).padStart(6, "0");
  const { error } = await auth.verifyOtp({ email: ada.email, token: wrong, type: "email" });
  expect(error).toMatchObject({ ...expired, message: "Token has expired or is invalid" });

  const bob = await signUp(server, "Bob");
  const second = await askForLink(bob.email);
  const byCode = () => auth.verifyOtp({ email: bob.email, token: second.code, type: "email" });
  expect((await byCode()).error).toBeNull();
  expect((await byCode()).error).toMatchObject(expired);
  expect((await follow(server, second.url)).fragment.error_code).toBe("otp_expired");
});

test("only the newest link and code work", async () => {
  const ada = await signUp(server, "Ada");
  const first = await askForLink(ada.email);
  const { error } = await server.client().auth.resetPasswordForEmail(ada.email, { redirectTo: callback });
  expect(error).toBeNull();
  expect((await follow(server, first.url)).fragment.error_code).toBe("otp_expired");
  const newest = await newestTo(server, ada.email, "recovery");
  expect((await follow(server, newest.url)).fragment.type).toBe("recovery");
});

test("link and code end after an hour", async () => {
  const ada = await signUp(server, "Ada");
  const { url, code } = await askForLink(ada.email);
  await server.db.query(
    "update auth.one_time_tokens set expires_at = expires_at - interval '1 hour' where user_id = $1",
    [ada.id],
  );
  expect((await follow(server, url)).fragment.error_code).toBe("otp_expired");
  const { error } = await server.client().auth.verifyOtp({ email: ada.email, token: code, type: "email" });
  expect(error).toMatchObject({ ...expired, message: "Token has expired or is invalid" });
});

test("a link opened twice at the same moment opens one session", async () => {
  const ada = await signUp(server, "Ada");
  const { url } = await askForLink(ada.email);
  const both = await Promise.all([follow(server, url), follow(server, url)]);
  expect(both.map(({ fragment }) => fragment.type ?? fragment.error_code).sort()).toEqual(["magiclink", "otp_expired"]);
});

/** Opens a link as a mail gateway does: several times, also with HEAD, and with the page to which it leads. */
async function scan(url: string) {
  const { pathname, search } = new URL(url);
  for (const method of ["HEAD", "GET", "GET"]) {
    const reply = await fetch(server.url + pathname + search, { method, redirect: "manual" });
    expect([reply.status, reply.headers.get("location")?.split("#")[0]]).toEqual([303, "/auth/link"]);
    // The token is behind the `#`, so that no log of the page contains it.
    expect(reply.headers.get("location")).toContain("#token=");
  }
}

/** The state of the link's page, which a scanner with a script also reads. */
const stateOf = async (url: string, more: object = {}) => {
  const { searchParams } = new URL(url);
  const body = JSON.stringify({ token: searchParams.get("token"), type: searchParams.get("type"), ...more });
  const headers = { "content-type": "application/json" };
  return (await fetch(`${server.url}/auth/v1/verify/link/state`, { method: "POST", headers, body })).json();
};

test.each<[string, (email: string) => Promise<unknown>, "email" | "recovery", string]>([
  ["sign-in", (email) => server.client().auth.signInWithOtp({ email }), "email", "magic-link"],
  ["recovery", (email) => server.client().auth.resetPasswordForEmail(email), "recovery", "recovery"],
])("a mail gateway uses up neither the link nor the code of a %s", async (_kind, ask, type, template) => {
  const ada = await signUp(server, "Ada");
  await ask(ada.email);
  const first = await newestTo(server, ada.email, template);
  await scan(first.url);
  expect(await stateOf(first.url)).toEqual({ state: "valid", sent_to: ada.email, own: false });
  const { error } = await server.client().auth.verifyOtp({ email: ada.email, token: first.code, type });
  expect(error).toBeNull();
  expect(await stateOf(first.url)).toEqual({ state: "used" });

  await server.db.query("delete from auth.attempts");
  await ask(ada.email);
  const second = await newestTo(server, ada.email, template);
  await scan(second.url);
  expect((await follow(server, second.url)).fragment.access_token).toBeTruthy();
  expect(await stateOf(first.url)).toEqual({ state: "expired" });
});

test("the page of a link recognises the client that requested it", async () => {
  const ada = await signUp(server, "Ada");
  const code_challenge = "c".repeat(43);
  await fetch(`${server.url}/auth/v1/otp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ada.email, code_challenge, code_challenge_method: "s256" }),
  });
  const { url } = await newestTo(server, ada.email, "magic-link");
  expect(await stateOf(url, { code_challenge })).toMatchObject({ state: "valid", own: true });
  expect(await stateOf(url, { code_challenge: "d".repeat(43) })).toMatchObject({ own: false });
});

test("an invented link has expired, and its page names nobody", async () => {
  expect(await stateOf("https://skies.example/?token=invented&type=magiclink")).toEqual({ state: "expired" });
});

test("neither link nor code is stored", async () => {
  const ada = await signUp(server, "Ada");
  const { link, code } = await askForLink(ada.email);
  const { rows } = await server.db.query("select * from auth.one_time_tokens where user_id = $1", [ada.id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(link);
  expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
});

test("the fifth wrong guess ends a code, also when all come at once; the link stays", async () => {
  const ada = await signUp(server, "Ada");
  const { url, code } = await askForLink(ada.email);
  const wrong = String((Number(code) + 1) % 1e6).padStart(6, "0");
  const guess = (token: string) => server.client().auth.verifyOtp({ email: ada.email, token, type: "email" });
  await Promise.all(Array.from({ length: 5 }, () => guess(wrong)));
  expect((await guess(code)).error).toMatchObject(expired);
  expect((await follow(server, url)).fragment.type).toBe("magiclink");
});

test("an address without an account gets one with its first code, unless the client says otherwise", async () => {
  const [stranger, guest] = [newEmail(), newEmail()];
  const { code } = await askForLink(stranger);
  const { data } = await server.client().auth.verifyOtp({ email: stranger, token: code, type: "email" });
  expect(data.user).toMatchObject({ email: stranger, email_confirmed_at: expect.any(String) });
  expect((await enqueuedTo(server, stranger)).map(({ template }) => template)).toEqual(["magic-link", "welcome"]);

  const { error } = await server.client().auth.signInWithOtp({ email: guest, options: { shouldCreateUser: false } });
  expect(error).toBeNull();
  expect(await enqueuedTo(server, guest)).toEqual([]);
  const { rows } = await server.db.query("select from auth.users where email = $1", [guest]);
  expect(rows).toEqual([]);
});

test("a forgotten password is replaced with a mailed code", async () => {
  const ada = await signUp(server, "Ada");
  await server.client().auth.resetPasswordForEmail(ada.email, { redirectTo: callback });
  const { code } = await newestTo(server, ada.email, "recovery");
  const client = server.client();
  expect((await client.auth.verifyOtp({ email: ada.email, token: code, type: "recovery" })).error).toBeNull();
  expect((await client.auth.updateUser({ password: "a better password" })).error).toBeNull();
  const signedIn = await server.client().auth.signInWithPassword({ email: ada.email, password: "a better password" });
  expect(signedIn.error).toBeNull();
  expect((await enqueuedTo(server, ada.email)).at(-1)?.template).toBe("password-changed");
});

test("a phone gets its code by SMS", async () => {
  const phone = `3902${Math.floor(1e7 * (1 + Math.random() * 8))}`;
  expect((await server.client().auth.signInWithOtp({ phone: `+${phone}` })).error).toBeNull();
  const { code } = await newestTo(server, `+${phone}`);
  const { data } = await server.client().auth.verifyOtp({ phone, token: code, type: "sms" });
  expect(data.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String), email: "" });
});

test("emails come in the language that their reader chose, else in their browser's", async () => {
  const ada = await signUp(server, "Ada");
  await ada.client.auth.updateUser({ data: { language: "it" } });
  await askForLink(ada.email);
  const stranger = newEmail();
  await fetch(`${server.url}/auth/v1/otp`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-language": "it-IT,it;q=0.9,en;q=0.8" },
    body: JSON.stringify({ email: stranger }),
  });
  const languages = [...(await enqueuedTo(server, ada.email)), ...(await enqueuedTo(server, stranger))].map(
    ({ template, language }) => [template, language],
  );
  expect(languages).toEqual([
    ["welcome", "en"],
    ["magic-link", "it"],
    ["magic-link", "it"],
  ]);
});

test("with PKCE a link returns a code that only the requesting client can exchange", async () => {
  const ada = await signUp(server, "Ada");
  const client = waitingClient(server);
  const { url } = await askForLink(ada.email, client);
  const { location, fragment, parameters } = await follow(server, url);
  expect([location.origin + location.pathname, fragment]).toEqual([callback, {}]);
  const { data, error } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect(error).toBeNull();
  expect(data.user?.id).toBe(ada.id);
  const again = await server.client().auth.exchangeCodeForSession(parameters.code ?? "");
  expect(again.error).toMatchObject({ status: 400, code: "validation_failed" });
});

test("with PKCE a used link returns its error in the query and in the fragment", async () => {
  const ada = await signUp(server, "Ada");
  const { url } = await askForLink(ada.email, waitingClient(server));
  await follow(server, url);
  const { fragment, parameters } = await follow(server, url);
  expect(parameters).toMatchObject({ error: "access_denied", error_code: "otp_expired" });
  expect(fragment).toEqual(parameters);
});
