import { expect, test } from "vitest";
import type { Caller } from "../../database/as-caller.ts";
import { endOf, lastingClaims, signUrl, urlOpener } from "./signed-url.ts";

const secret = new Uint8Array(32).fill(7);
const openUrl = urlOpener(secret);
const now = Math.floor(Date.now() / 1000);
const ada: Caller = {
  role: "authenticated",
  sub: "ada",
  email: "ada@example.org",
  exp: 1,
  session_id: "s",
  custom: { id: "d", version: 2 },
};

test("a URL requested again within a quarter of its lifetime is the same URL", async () => {
  const start = Math.ceil(now / 900) * 900;
  const first = await signUrl(secret, { url: "b/a.jpg", caller: ada }, 3600, start + 1);
  const again = await signUrl(secret, { url: "b/a.jpg", caller: { ...ada, exp: 2 } }, 3600, start + 899);
  expect(again).toBe(first);
});

test("a URL is valid for the requested time, and at most a quarter longer", () => {
  for (const lifetime of [1, 3, 60, 3600]) {
    for (let at = 0; at < 100; at += 0.7) {
      const life = endOf(lifetime, now + at) - (now + at);
      expect(life).toBeGreaterThanOrEqual(lifetime);
      expect(life).toBeLessThanOrEqual(lifetime + Math.max(1, lifetime / 4));
    }
  }
});

test("a URL carries only the claims that row policies need, and no personal data", () => {
  expect(lastingClaims(ada)).toEqual({
    role: "authenticated",
    sub: "ada",
    session_id: "s",
    custom: { id: "d", version: 2 },
  });
});

test("a URL opens its own object with the rights of its caller", async () => {
  const token = await signUrl(secret, { url: "b/a.jpg", caller: ada }, 60);
  for (let n = 0; n < 2; n++) expect(await openUrl(token, "b/a.jpg")).toEqual(lastingClaims(ada));
});

test("a URL opens no other object", async () => {
  const token = await signUrl(secret, { url: "b/a.jpg", caller: ada }, 60);
  await openUrl(token, "b/a.jpg");
  await expect(openUrl(token, "b/b.jpg")).rejects.toThrow("This link is not valid");
  await expect(urlOpener(new Uint8Array(32))(token, "b/a.jpg")).rejects.toThrow("This link is not valid");
  await expect(openUrl(`${token}x`, "b/a.jpg")).rejects.toThrow("This link is not valid");
  await expect(openUrl(undefined, "b/a.jpg")).rejects.toThrow("missing");
});

test("a URL expires", async () => {
  const token = await signUrl(secret, { url: "b/a.jpg", caller: ada }, 60, now - 1000);
  await expect(openUrl(token, "b/a.jpg")).rejects.toThrow("This link has expired");
});

test("a token of another algorithm opens nothing", async () => {
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(
    JSON.stringify({ url: "b/a.jpg", caller: { role: "service_role" }, exp: now + 60 }),
  ).toString("base64url")}.`;
  await expect(openUrl(none, "b/a.jpg")).rejects.toThrow("This link is not valid");
});
