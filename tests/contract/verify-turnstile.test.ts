import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openTurnstile, type Turnstile } from "../../sandboxes/bot-check/turnstile.ts";
import { botCheck } from "../../server/gateways/bot-check.ts";
import { testServer } from "../support/server.ts";

/** The sandbox bot check on a separate port; closed after the file. */
async function testTurnstile(): Promise<Turnstile> {
  const turnstile = await openTurnstile();
  afterAll(() => turnstile.close());
  return turnstile;
}

const server = await testServer({}, undefined, { sandboxes: true });

async function verify(body: unknown, path = "/.netlify/functions/verify-turnstile") {
  const reply = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
}
const failed = (error: string, codes: string[] = []) => ({ success: false, "error-codes": codes, error });

test("a widget token is valid once", async () => {
  const token = randomUUID();
  expect(await verify({ token })).toEqual({ status: 200, body: { success: true, "error-codes": [] } });
  expect(await verify({ token }, "/functions/v1/verify-turnstile")).toEqual({
    status: 200,
    body: failed("Security check failed: timeout-or-duplicate", ["timeout-or-duplicate"]),
  });
});

test.each([
  [{}],
  [{ token: "" }],
  [{ token: "  " }],
  [{ token: 7 }],
  [{ token: "x".repeat(2049) }],
  [null],
  ["not json"],
])("Spec §5, §8: %j gives 'No token provided'", async (body) => {
  expect(await verify(body)).toEqual({ status: 400, body: failed("No token provided") });
});

test.each([
  ["hang-up", "Network error during verification"],
  ["unauthorized", "Verification service unauthorized"],
  ["unavailable", "Verification failed (500)"],
  ["nonsense", "Invalid response from verification service"],
  ["wrong-shape", "Invalid response from verification service"],
])("Spec §8: when the service answers %s it says '%s'", async (token, error) => {
  expect(await verify({ token })).toEqual({ status: 502, body: failed(error) });
});

test.each([
  ["refuse", "invalid-input-response"],
  ["expired", "timeout-or-duplicate"],
  ["internal-error", "internal-error"],
])("Spec §8: the token %s gives 'Security check failed: %s'", async (token, code) => {
  expect(await verify({ token })).toEqual({ status: 200, body: failed(`Security check failed: ${code}`, [code]) });
});

test("a service that never answers is given up after the timeout", async () => {
  const turnstile = await testTurnstile();
  const check = botCheck({ baseUrl: turnstile.baseUrl, secret: turnstile.secretKey, timeout: 200 });
  expect(await check("silence")).toEqual({ verdict: "none", reason: "Network error during verification" });
});

test("an unreachable service, or one that rejects the secret, gives no verdict", async () => {
  const turnstile = await testTurnstile();
  const stranger = botCheck({ baseUrl: turnstile.baseUrl, secret: "another" });
  expect(await stranger("any")).toEqual({ verdict: "none", reason: "Verification service unauthorized" });
  await turnstile.close();
  const late = botCheck({ baseUrl: turnstile.baseUrl, secret: turnstile.secretKey });
  expect(await late("any")).toEqual({ verdict: "none", reason: "Network error during verification" });
});

test("checks from one address are limited", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 70 }, async () => (await verify({ token: "refuse" })).status),
  );
  expect(statuses).toContain(429);
});

test("the configuration names the sandbox widget, whose script the server serves", async () => {
  const config = (await (await fetch(`${server.url}/config.json`)).json()) as Record<string, string>;
  expect(config).toMatchObject({
    turnstileSiteKey: "1x00000000000000000000AA",
    turnstileScriptUrl: "/sandbox/bot-check/turnstile/v0/api.js",
  });
  const script = await fetch(`${server.url}${config.turnstileScriptUrl}?render=explicit`);
  expect(script.headers.get("content-type")).toContain("text/javascript");
  expect(await script.text()).toContain("window.turnstile");
  expect(script.headers.get("content-security-policy")).not.toContain("cloudflare");
});

test("the vendor's widget is allowed when it is configured", async () => {
  const real = await testServer({ TURNSTILE_SITE_KEY: "0x1", TURNSTILE_SECRET_KEY: "0x2" }, server, {
    sandboxes: true,
  });
  const policy = (await fetch(`${real.url}/health`)).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src [^;]*https:\/\/challenges\.cloudflare\.com(;|$)/);
  expect(policy).toMatch(/frame-src 'self' https:\/\/challenges\.cloudflare\.com(;|$)/);
  expect(await (await fetch(`${real.url}/config.json`)).json()).toMatchObject({
    turnstileSiteKey: "0x1",
    turnstileScriptUrl: "https://challenges.cloudflare.com/turnstile/v0/api.js",
  });
  expect((await fetch(`${real.url}/sandbox/bot-check/turnstile/v0/api.js`)).status).toBe(404);
});
