import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Database } from "../database/database.ts";

/** Signs and checks the tokens that say who a caller is: ES256, so that any service can check them by the JWKS. */
export interface Tokens {
  /** A signed token that ends `seconds` from now. */
  sign(claims: JWTPayload, seconds: number): Promise<string>;
  /** The claims of a valid token; rejects with jose's error (`ERR_JWT_EXPIRED` …) otherwise. */
  verify(token: string): Promise<JWTPayload>;
  /** Every public key whose tokens are still accepted, as `.well-known/jwks.json` shows them. */
  jwks(): Promise<{ keys: JWK[] }>;
}

interface KeyRow {
  id: string;
  public_jwk: JWK;
  sealed_private_jwk: string;
  status: "active" | "retired";
}

/** Tokens signed by the keys in `auth.signing_keys`, whose private halves are sealed under `secret` (32 bytes). */
export async function openTokens(db: Database, settings: { secret: Uint8Array; issuer: string }): Promise<Tokens> {
  let keys = await loadOrMake(db, settings.secret);
  const verifying = new Map<string, CryptoKey>();

  const keyFor = async (id: string | undefined): Promise<CryptoKey> => {
    const known = verifying.get(id ?? "");
    if (known) return known;
    // Another process may have made the key since.
    let row = keys.find((key) => key.id === id);
    if (!row) {
      keys = await load(db);
      row = keys.find((key) => key.id === id);
    }
    if (!row) throw new Error("No key of ours signed this token");
    const key = (await importJWK(row.public_jwk, "ES256")) as CryptoKey;
    verifying.set(row.id, key);
    return key;
  };

  const active = keys.find((key) => key.status === "active");
  if (!active) throw new Error("There is no active signing key");
  const signing = await importJWK(open(active.sealed_private_jwk, settings.secret), "ES256");

  return {
    sign: (claims, seconds) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", kid: active.id, typ: "JWT" })
        .setIssuer(settings.issuer)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(signing),
    async verify(token) {
      const { payload } = await jwtVerify(token, (header) => keyFor(header.kid), {
        algorithms: ["ES256"],
        issuer: settings.issuer,
        requiredClaims: ["exp", "role"],
      });
      return payload;
    },
    async jwks() {
      return { keys: (await load(db)).map((key) => key.public_jwk) };
    },
  };
}

const load = async (db: Database) =>
  (
    await db.query<KeyRow>(
      "select id, public_jwk, sealed_private_jwk, status from auth.signing_keys order by created_at",
    )
  ).rows;

async function loadOrMake(db: Database, secret: Uint8Array): Promise<KeyRow[]> {
  const known = await load(db);
  if (known.some((key) => key.status === "active")) return known;
  const pair = await generateKeyPair("ES256", { extractable: true });
  const id = randomUUID();
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: id, alg: "ES256", use: "sig", key_ops: ["verify"] };
  // Two processes starting together: the second one's key is dropped, and it loads the first one's.
  await db.query(
    `insert into auth.signing_keys (id, public_jwk, sealed_private_jwk, status) values ($1, $2, $3, 'active')
     on conflict (status) where status = 'active' do nothing`,
    [id, JSON.stringify(publicJwk), seal(await exportJWK(pair.privateKey), secret)],
  );
  return load(db);
}

function seal(jwk: JWK, secret: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(jwk), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

function open(sealed: string, secret: Uint8Array): JWK {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8"));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
