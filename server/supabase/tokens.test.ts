import { generateKeyPair, SignJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import type { Database } from "../database/database.ts";
import type { Keyring } from "./sealed.ts";
import { openSigningKeys } from "./signing-keys.ts";
import { openTokens } from "./tokens.ts";

const db = await testDatabase();
const secret: Keyring = [new Uint8Array(32).fill(7)];
const issuer = "https://skies.example/auth/v1";
const tokens = await openTokens(db, { secret, issuer });

afterEach(() => {
  vi.useRealTimers();
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

/** Returns the database with a count of its queries. */
function counted() {
  let requests = 0;
  const query: Database["query"] = (text, params) => {
    requests += 1;
    return db.query(text, params);
  };
  return { db: { ...db, query }, asked: () => requests };
}

test("a valid token gives its claims", async () => {
  const token = await tokens.sign({ role: "authenticated", sub: "ada" }, 60);
  expect(await tokens.verify(token)).toMatchObject({ role: "authenticated", sub: "ada", iss: issuer });
  expect(await tokens.verify(token)).toMatchObject({ sub: "ada" });
});

test("a token verified before is refused once it has expired", async () => {
  const token = await tokens.sign({ role: "authenticated" }, 60);
  await tokens.verify(token);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: "ERR_JWT_EXPIRED" });
});

test("a token that has expired is refused as expired", async () => {
  const token = await tokens.sign({ role: "authenticated" }, -1);
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: "ERR_JWT_EXPIRED" });
});

test("another process with the same secret verifies the token, and one with another secret does not start", async () => {
  const other = await openTokens(db, { secret, issuer });
  expect(await other.verify(await tokens.sign({ role: "anon" }, 60))).toMatchObject({ role: "anon" });
  await expect(openTokens(db, { secret: [new Uint8Array(32)], issuer })).rejects.toThrow("another SECRET_KEY");
});

const kidOf = (token: string) => String(decode(token.split(".")[0]).kid);
const later = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
const publishedIds = async (by = tokens) => (await by.jwks()).keys.map(({ kid }) => kid);

test("the next key is published before it signs, and tokens of the old key stay valid", async () => {
  const other = await openTokens(db, { secret, issuer });
  const [old, next] = await publishedIds();
  const before = await tokens.sign({ role: "anon" }, 60);
  expect(await tokens.rotateKeys(0)).toBe(true);
  const after = await tokens.sign({ role: "anon" }, 60);
  expect([kidOf(before), kidOf(after)]).toEqual([old, next]);
  // A process with cached keys accepts both, and signs with the old one until it reads them again.
  for (const token of [before, after, await other.sign({ role: "anon" }, 60)]) {
    expect(await other.verify(token)).toMatchObject({ role: "anon" });
    expect(await tokens.verify(token)).toMatchObject({ role: "anon" });
  }
  later(61);
  expect(kidOf(await other.sign({ role: "anon" }, 60))).toBe(next);
  expect(await publishedIds(other)).toEqual(await publishedIds());
  expect(await publishedIds()).toHaveLength(3);
});

test("a key made by another process is loaded when its first token arrives", async () => {
  const other = await openTokens(db, { secret, issuer });
  for (let times = 0; times < 2; times++) await other.rotateKeys(0);
  // No test sets the clock back, so the cached keys are older than a second.
  later(62);
  expect(await tokens.verify(await other.sign({ role: "anon" }, 60))).toMatchObject({ role: "anon" });
});

test("a retired key stops verifying once its last token has ended", async () => {
  const token = await tokens.sign({ role: "anon", sub: "late" }, 86_400);
  await tokens.rotateKeys(0);
  await db.query("update auth.signing_keys set status_at = status_at - interval '2 hours' where status = 'retired'");
  later(61);
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
  expect(await publishedIds()).not.toContain(kidOf(token));
  await tokens.rotateKeys(0);
  const { rows } = await db.query("select from auth.signing_keys where id = $1", [kidOf(token)]);
  expect(rows).toEqual([]);
});

test("keys are rotated by age, once for all processes", async () => {
  expect(await tokens.rotateKeys(3600)).toBe(false);
  await db.query("update auth.signing_keys set status_at = status_at - interval '2 hours' where status = 'active'");
  const others = await Promise.all([1, 2, 3].map(() => openTokens(db, { secret, issuer })));
  const rotated = await Promise.all(others.map((other) => other.rotateKeys(3600)));
  expect(rotated.filter(Boolean)).toHaveLength(1);
  const { rows } = await db.query("select status, count(*) as n from auth.signing_keys group by 1 order by 1");
  expect(rows).toMatchObject([{ status: "active", n: 1 }, { status: "retired" }, { status: "standby", n: 1 }]);
});

test("the published keys have no private parts", async () => {
  for (const key of (await tokens.jwks()).keys) {
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    expect(key).not.toHaveProperty("d");
  }
});

test("a burst of tokens with unknown key ids causes one query", async () => {
  const watched = counted();
  const busy = await openTokens(watched.db, { secret, issuer });
  const before = watched.asked();
  const { privateKey } = await generateKeyPair("ES256");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2000 });
  const forge = (kid: string) =>
    new SignJWT({ role: "authenticated", iss: issuer })
      .setProtectedHeader({ alg: "ES256", kid })
      .setExpirationTime("1h")
      .sign(privateKey);
  const forged = await Promise.all(Array.from({ length: 50 }, (_, n) => forge(`made-up-${n}`)));
  const outcomes = await Promise.allSettled(forged.map((token) => busy.verify(token)));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(watched.asked() - before).toBe(1);
});

/** The reasons for which jose refuses a token. */
const REASON = {
  malformed: { code: "ERR_JWS_INVALID" },
  algorithm: { code: "ERR_JOSE_ALG_NOT_ALLOWED" },
  noKey: { code: "ERR_JWKS_NO_MATCHING_KEY" },
  signature: { code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" },
  claim: (claim: string) => ({ code: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim }),
};

/** Returns a valid token in parts, our signing key, and a foreign key. */
async function keysAndToken() {
  const { id: kid, key } = await (await openSigningKeys(db, secret)).signer();
  const [header, payload, signature = ""] = (await tokens.sign({ role: "authenticated", sub: "ada" }, 60)).split(".");
  const foreign = (await generateKeyPair("ES256")).privateKey;
  const tokenOf = (kid: string) =>
    new SignJWT({ role: "authenticated", iss: issuer }).setProtectedHeader({ alg: "ES256", kid });
  const signedByForeign = (kid: string) => tokenOf(kid).setExpirationTime("1h").sign(foreign);
  return { kid, header, payload, signature, withoutExpiry: () => tokenOf(kid).sign(key), signedByForeign };
}
type Given = Awaited<ReturnType<typeof keysAndToken>>;

const elsewhere = () => openTokens(db, { secret, issuer: "https://elsewhere.example/auth/v1" });

test.each<[string, (input: Given) => string | Promise<string>, object]>([
  ["that is not a token", () => "not.a.token", REASON.malformed],
  ["that is empty", () => "", REASON.malformed],
  [
    "without a signature (alg none)",
    ({ payload }) => `${encode({ alg: "none", typ: "JWT" })}.${payload}.`,
    REASON.algorithm,
  ],
  [
    "with alg none and our key's id",
    ({ kid, payload, signature }) => `${encode({ alg: "none", kid })}.${payload}.${signature}`,
    REASON.algorithm,
  ],
  [
    "with its payload changed",
    ({ header, payload, signature }) => `${header}.${encode({ ...decode(payload), sub: "bob" })}.${signature}`,
    REASON.signature,
  ],
  [
    "with its signature cut",
    ({ header, payload, signature }) => `${header}.${payload}.${signature.slice(0, -4)}`,
    REASON.signature,
  ],
  ["signed by a foreign key under our key's id", ({ kid, signedByForeign }) => signedByForeign(kid), REASON.signature],
  ["signed by a foreign key under its own id", ({ signedByForeign }) => signedByForeign("foreign"), REASON.noKey],
  [
    "that names no key",
    ({ payload, signature }) => `${encode({ alg: "ES256" })}.${payload}.${signature}`,
    REASON.noKey,
  ],
  [
    "signed with our public key as an HMAC secret",
    ({ kid, payload, signature }) => `${encode({ alg: "HS256", kid })}.${payload}.${signature}`,
    REASON.algorithm,
  ],
  ["without an expiry", ({ withoutExpiry }) => withoutExpiry(), REASON.claim("exp")],
  ["of another issuer", async () => (await elsewhere()).sign({ role: "authenticated" }, 60), REASON.claim("iss")],
  ["without a role", () => tokens.sign({ sub: "ada" }, 60), REASON.claim("role")],
])("a token %s is refused for that reason", async (_what, made, reason) => {
  // Made here, because the tests above replace the keys.
  const token = await made(await keysAndToken());
  await expect(tokens.verify(token)).rejects.toMatchObject(reason);
});
