import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { asProvider, BAD_TOKENS, openIssuer } from "../support/issuer.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const issuer = await openIssuer();
const server = await testServer(asProvider(issuer));
const base = `${server.url}/auth/v1`;
const app = "http://localhost:0/auth/callback";
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, { redirect: "manual", headers });
const count = async (table: string) =>
  (await server.db.query<{ n: number }>(`select count(*)::int as n from auth.${table}`)).rows[0]?.n;

/** Starts a sign-in at the provider. Resolves to the state and nonce of the request, and the browser's cookie. */
async function startSignIn(query = "") {
  const reply = await get(`/authorize?provider=custom:test&skip_http_redirect=true${query}`);
  const { url } = await reply.json();
  const sent = new URL(url).searchParams;
  const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { state: sent.get("state") ?? "", nonce: sent.get("nonce") ?? "", cookie };
}

/** Calls the callback with these parameters and this cookie. Resolves to the target of the redirect. */
async function callCallback(parameters: Record<string, string>, cookie: string) {
  const reply = await get(`/callback?${new URLSearchParams(parameters)}`, { cookie });
  expect(reply.status).toBe(303);
  const location = new URL(reply.headers.get("location") ?? "about:blank");
  return {
    at: location.origin + location.pathname,
    parameters: Object.fromEntries(location.searchParams),
    fragment: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  };
}
const goodToken = (nonce: string) => issuer.sign(issuer.claims({ nonce }));

test("a valid sign-in opens a session", async () => {
  const { state, nonce, cookie } = await startSignIn();
  issuer.handOut(await goodToken(nonce));
  const { at, fragment } = await callCallback({ code: "a code", state }, cookie);
  expect([at, fragment.token_type]).toEqual([app, "bearer"]);
});

describe("no session is opened by an OAuth state that", () => {
  const cases: Record<string, () => Promise<{ state?: string; cookie: string }>> = {
    "was made up": async () => ({
      state: `${crypto.randomUUID()}.${"x".repeat(43)}`,
      cookie: (await startSignIn()).cookie,
    }),
    "is missing": async () => ({ cookie: (await startSignIn()).cookie }),
    "is malformed": async () => ({ state: "' or 1 = 1 --", cookie: (await startSignIn()).cookie }),
    "comes from another browser": async () => ({ state: (await startSignIn()).state, cookie: "" }),
    "comes with another sign-in's cookie": async () => ({
      state: (await startSignIn()).state,
      cookie: (await startSignIn()).cookie,
    }),
    "comes with a cookie that was made up": async () => {
      const { state, cookie } = await startSignIn();
      return { state, cookie: `${cookie.split("=")[0]}=${randomBytes(32).toString("base64url")}` };
    },
    "has a wrong signature": async () => {
      const { state, cookie } = await startSignIn();
      return { state: state.slice(0, -2) + (state.endsWith("AA") ? "BB" : "AA"), cookie };
    },
    "is older than ten minutes": async () => {
      const { state, cookie } = await startSignIn();
      await server.db.query("update auth.oauth_client_states set created_at = now() - interval '11 minutes'");
      return { state, cookie };
    },
    "was used before": async () => {
      const { state, nonce, cookie } = await startSignIn();
      issuer.handOut(await goodToken(nonce));
      await callCallback({ code: "a code", state }, cookie);
      return { state, cookie };
    },
  };

  test.each(Object.entries(cases))("%s", async (_what, make) => {
    const { state, cookie } = await make();
    const before = [await count("users"), await count("sessions")];
    const result = await callCallback({ code: "a code", ...(state === undefined ? {} : { state }) }, cookie);
    const error = {
      error: "invalid_request",
      error_code: "bad_oauth_state",
      error_description: "OAuth state is invalid or has expired",
    };
    expect(result).toEqual({ at: app, parameters: error, fragment: error });
    expect([await count("users"), await count("sessions")]).toEqual(before);
  });
});

test("a state that another browser has tried still works in its own browser", async () => {
  const { state, nonce, cookie } = await startSignIn();
  await callCallback({ code: "a code", state }, "");
  issuer.handOut(await goodToken(nonce));
  expect((await callCallback({ code: "a code", state }, cookie)).fragment.token_type).toBe("bearer");
});

test("only one of two simultaneous callbacks opens a session", async () => {
  const { state, nonce, cookie } = await startSignIn();
  issuer.handOut(await goodToken(nonce));
  const both = await Promise.all([1, 2].map(() => callCallback({ code: "a code", state }, cookie)));
  expect(both.filter(({ fragment }) => fragment.token_type === "bearer")).toHaveLength(1);
});

describe("no session is opened by a provider's token that", () => {
  test.each(Object.entries(BAD_TOKENS))("%s", async (_what, make) => {
    const { state, nonce, cookie } = await startSignIn();
    issuer.handOut(await make(issuer, nonce));
    const before = [await count("users"), await count("sessions")];
    const { at, fragment } = await callCallback({ code: "a code", state }, cookie);
    expect(at).toBe(app);
    expect(fragment).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
    expect([await count("users"), await count("sessions")]).toEqual(before);
  });

  test("is missing, or without a nonce", async () => {
    for (const token of ["", await issuer.sign(issuer.claims())]) {
      const { state, cookie } = await startSignIn();
      issuer.handOut(token);
      expect((await callCallback({ code: "a code", state }, cookie)).fragment.error_code).toBe("unexpected_failure");
    }
  });
});

test("a callback without a code has its own error code", async () => {
  const { state, cookie } = await startSignIn();
  expect((await callCallback({ state }, cookie)).fragment.error_code).toBe("bad_oauth_callback");
});

test("a provider's error description is passed on as one line of at most 200 characters", async () => {
  const { state, cookie } = await startSignIn();
  const error_description = `<script>alert(1)</script>\n${"x".repeat(500)}`;
  const { fragment, parameters } = await callCallback({ state, error: "server_error", error_description }, cookie);
  expect(fragment.error_description).toBe(error_description.replace("\n", " ").slice(0, 200));
  expect(parameters).toEqual({});
});

describe("a PKCE code", () => {
  const issued = async () => {
    const { state, nonce, cookie } = await startSignIn(`&code_challenge=${challenge}&code_challenge_method=s256`);
    issuer.handOut(await goodToken(nonce));
    const { parameters, fragment } = await callCallback({ code: "a code", state }, cookie);
    expect(fragment).toEqual({});
    return parameters.code ?? "";
  };
  const exchange = async (auth_code: string, code_verifier: string) => {
    const reply = await fetch(`${base}/token?grant_type=pkce`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ auth_code, code_verifier }),
    });
    return [reply.status, (await reply.json()).error_code];
  };

  test("opens a session once", async () => {
    const code = await issued();
    expect(await exchange(code, verifier)).toEqual([200, undefined]);
    expect(await exchange(code, verifier)).toEqual([404, "flow_state_not_found"]);
  });

  test("opens no session with a wrong verifier, and is used up", async () => {
    const code = await issued();
    expect(await exchange(code, randomBytes(32).toString("base64url"))).toEqual([400, "bad_code_verifier"]);
    expect(await exchange(code, verifier)).toEqual([404, "flow_state_not_found"]);
  });

  test("and the provider's tokens are not stored in plain text", async () => {
    const code = await issued();
    const { rows } = await server.db.query("select * from auth.flow_state where auth_code is not null");
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain("an access token");
  });
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "https://localhost@evil.example/",
  "http://localhost.evil.example/",
  "javascript:alert(1)",
  "data:text/html,x",
  "http:\\\\evil.example",
  "not an address",
])("sign-in never redirects to %s", async (to) => {
  const ada = await signUp(server, "Ada");
  const before = await count("oauth_client_states");
  const query = `provider=custom:test&redirect_to=${encodeURIComponent(to)}`;
  for (const reply of [
    await get(`/authorize?${query}`),
    await get(`/user/identities/authorize?${query}`, { authorization: `Bearer ${ada.token}` }),
  ]) {
    expect([reply.status, reply.headers.get("location")]).toEqual([400, null]);
    expect(await reply.json()).toMatchObject({ error_code: "validation_failed" });
  }
  expect(await count("oauth_client_states")).toBe(before);
});

test.each([
  ["a picture", "image"],
  ["a frame", "iframe"],
  ["a script", "empty"],
])("no sign-in starts from %s on another site's page", async (_what, dest) => {
  const before = await count("oauth_client_states");
  const reply = await get("/authorize?provider=custom:test", {
    "sec-fetch-site": "cross-site",
    "sec-fetch-dest": dest,
  });
  expect([reply.status, reply.headers.get("set-cookie")]).toEqual([403, null]);
  expect(await count("oauth_client_states")).toBe(before);
});

test("a HEAD request neither starts nor completes a sign-in", async () => {
  const before = await count("oauth_client_states");
  for (const path of ["/authorize?provider=custom:test", "/callback?state=x"]) {
    expect((await fetch(`${base}${path}`, { method: "HEAD" })).status).toBe(404);
  }
  expect(await count("oauth_client_states")).toBe(before);
});

test.each<[string, string]>([
  ["no provider", ""],
  ["an unknown provider", "?provider=github"],
  ["a provider named __proto__", "?provider=__proto__"],
  ["a scope with a line break", "?provider=custom:test&scopes=a%0Ab"],
  ["half a challenge", "?provider=custom:test&code_challenge=abc"],
  ["a challenge too short", "?provider=custom:test&code_challenge=abc&code_challenge_method=s256"],
])("a sign-in with %s is refused", async (_what, query) => {
  const reply = await get(`/authorize${query}`);
  expect([reply.status, (await reply.json()).error_code]).toEqual([400, "validation_failed"]);
});

test("linking an identity requires a signed-in person", async () => {
  const path = "/user/identities/authorize?provider=custom:test";
  expect((await get(path)).status).toBe(401);
  expect((await get(path, { authorization: "Bearer nonsense" })).status).toBe(403);
});

test("a provider's form post passes on only its own fields, and a large one is refused", async () => {
  const reply = await fetch(`${base}/callback`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ state: "a state", code: "a code", redirect_to: "https://evil.example", user: "{}" }),
  });
  const location = new URL(reply.headers.get("location") ?? "about:blank");
  expect([reply.status, location.pathname]).toEqual([303, "/auth/v1/callback"]);
  expect(Object.fromEntries(location.searchParams)).toEqual({ state: "a state", code: "a code", user: "{}" });
  const large = new URLSearchParams({ state: "x".repeat(20_000) });
  expect((await fetch(`${base}/callback`, { method: "POST", body: large })).status).toBe(413);
});

test("sign-ins started from one address are limited", async () => {
  const limited = await testServer({ ...asProvider(issuer), SIGN_IN_LIMIT: "3" });
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    statuses.push(
      (await fetch(`${limited.url}/auth/v1/authorize?provider=custom:test`, { redirect: "manual" })).status,
    );
  }
  expect(statuses).toEqual([302, 302, 302, 429]);
});
