import { generateKeyPair, SignJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import type { Database } from "../database/database.ts";
import { openTokens } from "./tokens.ts";

const db = await testDatabase();
const secret = new Uint8Array(32).fill(7);
const issuer = "https://skies.example/auth/v1";
const tokens = await openTokens(db, { secret, issuer });

afterEach(() => {
  vi.useRealTimers();
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

/** The database, counting the questions that reach it. */
function counted() {
  let asked = 0;
  const query: Database["query"] = (text, params) => {
    asked += 1;
    return db.query(text, params);
  };
  return { db: { ...db, query }, asked: () => asked };
}

test("a token tells its claims for as long as it lives", async () => {
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
  await expect(openTokens(db, { secret: new Uint8Array(32), issuer })).rejects.toThrow("another SECRET_KEY");
});

test("a key that another process has made since is picked up", async () => {
  await db.query("update auth.signing_keys set status = 'retired'");
  const other = await openTokens(db, { secret, issuer });
  const token = await other.sign({ role: "anon" }, 60);
  await expect
    .poll(
      () =>
        tokens.verify(token).then(
          () => "valid",
          () => "refused",
        ),
      { timeout: 5000 },
    )
    .toBe("valid");
  expect((await tokens.jwks()).keys).toHaveLength(2);
});

test("the published keys hold nothing private", async () => {
  for (const key of (await tokens.jwks()).keys) {
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    expect(key).not.toHaveProperty("d");
  }
});

test("a burst of tokens with made-up key ids costs one look at the table", async () => {
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

const [header, payload, signature] = (await tokens.sign({ role: "authenticated", sub: "ada" }, 60)).split(".");
const foreign = await generateKeyPair("ES256");
const signedBy = (key: CryptoKey, iss: string, kid: string) =>
  new SignJWT({ role: "authenticated", iss })
    .setProtectedHeader({ alg: "ES256", kid })
    .setExpirationTime("1h")
    .sign(key);
const kid = String(decode(header).kid);
const withoutExpiry = await new SignJWT({ role: "authenticated", iss: issuer })
  .setProtectedHeader({ alg: "ES256", kid })
  .sign(foreign.privateKey);
const elsewhere = await openTokens(db, { secret, issuer: "https://elsewhere.example/auth/v1" });

test.each([
  ["that is not a token", "not.a.token"],
  ["that is empty", ""],
  ["without a signature (alg none)", `${encode({ alg: "none", typ: "JWT" })}.${payload}.`],
  ["with alg none and our key's id", `${encode({ alg: "none", kid })}.${payload}.${signature}`],
  ["with its payload changed", `${header}.${encode({ ...decode(payload), sub: "bob" })}.${signature}`],
  ["with its signature cut", `${header}.${payload}.${signature?.slice(0, -4)}`],
  ["signed by a foreign key under our key's id", await signedBy(foreign.privateKey, issuer, kid)],
  ["signed by a foreign key under its own id", await signedBy(foreign.privateKey, issuer, "foreign")],
  ["that names no key", `${encode({ alg: "ES256" })}.${payload}.${signature}`],
  ["signed with our public key as an HMAC secret", `${encode({ alg: "HS256", kid })}.${payload}.${signature}`],
  ["without an end", withoutExpiry],
  ["of another issuer", await elsewhere.sign({ role: "authenticated" }, 60)],
  ["without a role", await tokens.sign({ sub: "ada" }, 60)],
])("a token %s is refused", async (_what, token) => {
  await expect(tokens.verify(token)).rejects.toThrow();
});
