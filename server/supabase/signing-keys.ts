import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database } from "../database/database.ts";

/** The ES256 keys in `auth.signing_keys`: one signs, all of them verify. */
interface SigningKeys {
  /** The key that signs, with the id that goes into a token's header. */
  active: { id: string; key: CryptoKey };
  /** The public key of this id, or undefined where no process on this database has one. */
  find(id: string): Promise<CryptoKey | undefined>;
  /** Every public key, as `.well-known/jwks.json` shows them. */
  published(): Promise<JWK[]>;
}

interface KeyRow {
  id: string;
  public_jwk: JWK;
  sealed_private_jwk: string;
  status: "active" | "retired";
}

/** How soon an unknown id may send us back to the table, in ms: tokens with made-up ids cost one query a second, not one each. */
const LOOK_AGAIN = 1000;
/** How long the public keys are shown as last read, in ms. */
const SHOWN_FOR = 60_000;

/** Opens the keys, whose private halves are sealed under `secret` (32 bytes), making the first one where there is none. */
export async function openSigningKeys(db: Database, secret: Uint8Array): Promise<SigningKeys> {
  let rows = await loadOrMake(db, secret);
  let loadedAt = Date.now();
  let loading: Promise<void> | undefined;
  const imported = new Map<string, CryptoKey>();

  const row = rows.find((key) => key.status === "active");
  if (!row) throw new Error("There is no active signing key");
  const active = { id: row.id, key: await importKey(unseal(row.sealed_private_jwk, secret)) };

  const reload = () => {
    loading ??= load(db)
      .then((fresh) => {
        rows = fresh;
      })
      .finally(() => {
        loadedAt = Date.now();
        loading = undefined;
      });
    return loading;
  };

  return {
    active,
    async find(id) {
      const known = imported.get(id);
      if (known) return known;
      // Another process may have made a key since.
      if (!rows.some((key) => key.id === id) && (loading || Date.now() - loadedAt >= LOOK_AGAIN)) await reload();
      const found = rows.find((key) => key.id === id);
      if (!found) return undefined;
      const key = await importKey(found.public_jwk);
      imported.set(id, key);
      return key;
    },
    async published() {
      if (Date.now() - loadedAt >= SHOWN_FOR) await reload();
      return rows.map((key) => key.public_jwk);
    },
  };
}

const importKey = async (jwk: JWK) => (await importJWK(jwk, "ES256")) as CryptoKey;

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

function unseal(sealed: string, secret: Uint8Array): JWK {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8"));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
