import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { asProvider, openIssuer } from "../support/issuer.ts";
import { testServer } from "../support/server.ts";
import { ethereumWallet, solanaWallet } from "../support/wallets.ts";

const site = "https://app.example";
const issuer = await openIssuer();
const server = await testServer({ PUBLIC_URL: site, ...asProvider(issuer) });
const url = `${site}/login`;
const statement = "I keep what matters here.";

const send = async (body: object) => {
  const reply = await fetch(`${server.url}/auth/v1/token?grant_type=web3`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, ...(await reply.json()) };
};

test("an Ethereum account signs in, to the same account each time", async () => {
  const { wallet, address } = ethereumWallet();
  const ids = [];
  for (const signedStatement of [statement, undefined]) {
    const { data, error } = await server
      .client()
      .auth.signInWithWeb3({ chain: "ethereum", wallet, statement: signedStatement, options: { url } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: "",
      app_metadata: { provider: "web3", providers: ["web3"] },
      identities: [
        {
          provider: "web3",
          id: `web3:ethereum:${address}`,
          identity_data: { address, chain: "ethereum", network: "1" },
        },
      ],
    });
    expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ aal: "aal1", amr: [{ method: "web3" }] });
    ids.push(data.user?.id);
  }
  expect(ids[0]).toBe(ids[1]);
});

test.each(["texts", "whole"] as const)("a Solana account signs in by wallet (%s)", async (kind) => {
  const wallet = solanaWallet();
  for (const signedStatement of [statement, undefined]) {
    const { data, error } = await server
      .client()
      .auth.signInWithWeb3({ chain: "solana", wallet: wallet[kind], statement: signedStatement, options: { url } });
    expect(error).toBeNull();
    expect(data.user?.identities).toMatchObject([{ id: `web3:solana:${wallet.address}` }]);
  }
});

const message = (address: string, otherwise: Record<string, string | undefined> = {}) => {
  const fields: Record<string, string | undefined> = {
    URI: url,
    Version: "1",
    "Chain ID": "1",
    Nonce: Math.random().toString(36).slice(2).padEnd(8, "x"),
    "Issued At": new Date().toISOString(),
    ...otherwise,
  };
  const { domain = "app.example", chain = "Ethereum", ...named } = fields;
  const lines = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [`${domain} wants you to sign in with your ${chain} account:`, address, "", statement, "", ...lines].join(
    "\n",
  );
};
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

describe("a message is refused if it", () => {
  const { address, sign } = ethereumWallet();
  const identities = async () =>
    (await server.db.query("select from auth.identities where provider_id like $1", [`%${address}`])).rows;

  test.each<[string, Record<string, string | undefined>]>([
    ["is for another site", { domain: "evil.example", URI: "https://evil.example/login" }],
    ["has another site's domain", { domain: "evil.example" }],
    ["has another site's URI", { URI: "https://evil.example/" }],
    ["has another site's URI with this site as its user name", { URI: "https://app.example@evil.example/" }],
    ["has an http URI", { URI: "http://app.example/login" }],
    ["is for localhost", { domain: "localhost:3000", URI: "http://localhost:3000/" }],
    ["was issued eleven minutes ago", { "Issued At": minutes(-11) }],
    ["is issued in the future", { "Issued At": minutes(2) }],
    ["has expired", { "Expiration Time": minutes(-1) }],
    ["is not yet valid", { "Not Before": minutes(5) }],
  ])("%s", async (_what, otherwise) => {
    const text = message(address, otherwise);
    expect(await send({ chain: "ethereum", message: text, signature: sign(text) })).toMatchObject({
      status: 400,
      error_code: "invalid_credentials",
    });
    expect(await identities()).toEqual([]);
  });

  test("was signed by another account", async () => {
    const text = message(address);
    const other = ethereumWallet().sign(text);
    expect(await send({ chain: "ethereum", message: text, signature: other })).toMatchObject({
      error_code: "invalid_credentials",
    });
    const changed = sign(text.replace("matters", "mattered"));
    expect((await send({ chain: "ethereum", message: text, signature: changed })).status).toBe(400);
    const solana = solanaWallet();
    const theirs = message(solana.address, { chain: "Solana" });
    const signature = Buffer.from(solanaWallet().sign(theirs)).toString("base64");
    expect(await send({ chain: "solana", message: theirs, signature })).toMatchObject({
      error_code: "invalid_credentials",
    });
    expect(await identities()).toEqual([]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["names no chain", { "Chain ID": undefined }],
    ["names no site", { URI: undefined }],
    ["names no time", { "Issued At": undefined }],
    ["is of another version", { Version: "2" }],
    ["is for the other chain", { chain: "Solana" }],
  ])("%s", async (_what, otherwise) => {
    const text = message(address, otherwise);
    expect(await send({ chain: "ethereum", message: text, signature: sign(text) })).toMatchObject({
      status: 400,
      error_code: "validation_failed",
    });
  });

  test("was used before, also with the key's other valid signature", async () => {
    const wallet = ethereumWallet();
    const text = message(wallet.address);
    const signature = wallet.sign(text);
    expect((await send({ chain: "ethereum", message: text, signature })).status).toBe(200);
    expect(await send({ chain: "ethereum", message: text, signature })).toMatchObject({
      status: 400,
      error_code: "invalid_credentials",
    });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const flipped = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const twin = signature.slice(0, 66) + flipped + (signature.endsWith("1b") ? "1c" : "1b");
    expect((await send({ chain: "ethereum", message: text, signature: twin })).status).toBe(400);
  });

  test("arrives twice at once, except for the first", async () => {
    const wallet = ethereumWallet();
    const text = message(wallet.address);
    const body = { chain: "ethereum", message: text, signature: wallet.sign(text) };
    const outcomes = await Promise.all([send(body), send(body)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

test.each<[string, object]>([
  ["no chain", { message: "x".repeat(100), signature: "x" }],
  ["an unknown chain", { chain: "bitcoin", message: "x".repeat(100), signature: "x" }],
  ["a message too short", { chain: "ethereum", message: "x", signature: `0x${"0".repeat(130)}` }],
  ["a message too long", { chain: "ethereum", message: "x".repeat(20_481), signature: `0x${"0".repeat(130)}` }],
  ["a signature too short", { chain: "ethereum", message: "x".repeat(100), signature: "0x00" }],
  ["an invalid signature", { chain: "solana", message: "x".repeat(100), signature: "x".repeat(200) }],
])("%s is refused", async (_what, body) => {
  expect(await send(body)).toMatchObject({ status: 400, error_code: "validation_failed" });
});

test("linking a provider account gives a wallet account its email address", async () => {
  const { wallet } = ethereumWallet();
  const client = server.client();
  const { data: made } = await client.auth.signInWithWeb3({ chain: "ethereum", wallet, options: { url } });
  const claims = issuer.claims();
  const { data, error } = await client.auth.linkIdentity({ provider: "custom:test", token: await issuer.sign(claims) });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id: made.user?.id, email: claims.email, email_confirmed_at: expect.any(String) });
});
