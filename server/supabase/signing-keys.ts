import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database, Transaction } from "../database/database.ts";
import { type Keyring, sealKey, unseal, unsealKey } from "./sealed.ts";

/** The ES256 keys in `auth.signing_keys`: one signs, one is on standby, all of them verify. */
interface SigningKeys {
  /** Resolves to the signing key, and to its id for a token's header. */
  signer(): Promise<{ id: string; key: CryptoKey }>;
  /** Resolves to the public key with this id; undefined if the database has none that still verifies. */
  find(id: string): Promise<CryptoKey | undefined>;
  /** Resolves to every public key, as `.well-known/jwks.json` shows them. */
  published(): Promise<JWK[]>;
  /** Activates the standby key if the active one has signed for `olderThan` seconds. Resolves to whether it did. */
  rotate(olderThan: number): Promise<boolean>;
}

interface KeyRow {
  id: string;
  public_jwk: JWK;
  sealed_private_jwk: string;
  status: "standby" | "active" | "retired";
}

/** The minimum pause in ms between reads for unknown ids, so that invented ids cost one query a second in all. */
const RELOAD_PAUSE_MS = 1000;
/** The lifetime of the cached keys in ms. After this time, every process signs with a new key. */
const CACHE_MS = 60_000;
/** Seconds for which a retired key verifies: the longest token lifetime plus the delay of the slowest process. */
const RETIRED_SECONDS = 3600 + 120;

/**
 * Opens the keys, with private halves encrypted with `secrets`. Creates the first keys if there are none. Keys under a
 * former secret sign nothing any more, because somebody else may know it; tokens that they signed stay valid until they
 * expire.
 */
export async function openSigningKeys(db: Database, secrets: Keyring): Promise<SigningKeys> {
  await fill(db, secrets);
  await replaceFormer(db, secrets);
  let rows = await load(db);
  let loadedAt = Date.now();
  let loading: Promise<void> | undefined;
  const imported = new Map<string, Promise<CryptoKey>>();
  const once = (name: string, jwk: () => JWK) => {
    const key = imported.get(name) ?? importKey(jwk());
    imported.set(name, key);
    return key;
  };

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
  const current = async () => {
    if (Date.now() - loadedAt >= CACHE_MS) await reload();
    return rows;
  };
  const signer = async () => {
    const row = (await current()).find((key) => key.status === "active");
    if (!row) throw new Error("There is no active signing key");
    return { id: row.id, key: await once(`private ${row.id}`, () => unsealKey(row.sealed_private_jwk, secrets)) };
  };
  // Fails at the start rather than at the first sign-in, because nothing works with another secret.
  await signer();

  return {
    signer,
    async find(id) {
      const isCurrent = (await current()).some((key) => key.id === id);
      // Another process may have created a key meanwhile.
      if (!isCurrent && (loading || Date.now() - loadedAt >= RELOAD_PAUSE_MS)) await reload();
      const row = rows.find((key) => key.id === id);
      return row && once(`public ${id}`, () => row.public_jwk);
    },
    async published() {
      return (await current()).map((key) => key.public_jwk);
    },
    async rotate(olderThan) {
      const rotated = await promote(db, olderThan);
      await fill(db, secrets);
      await reload();
      return rotated;
    },
  };
}

const importKey = async (jwk: JWK) => (await importJWK(jwk, "ES256")) as CryptoKey;

/** Resolves to the keys that verify, the newest last. */
async function load(db: Database): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select id, public_jwk, sealed_private_jwk, status from auth.signing_keys
     where status <> 'retired' or status_at > now() - make_interval(secs => $1) order by created_at`,
    [RETIRED_SECONDS],
  );
  return rows;
}

/** Retires the active key, only if it is `id`, and activates the standby key. Others learn of an unknown key when they meet it. */
const promote = (db: Database, olderThan: number, id: string | null = null): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { changed } = await tx.query(
      `update auth.signing_keys set status = 'retired', status_at = now()
       where status = 'active' and status_at <= now() - make_interval(secs => $1) and ($2::text is null or id = $2)
         and exists (select from auth.signing_keys where status = 'standby')`,
      [olderThan, id],
    );
    if (changed === 0) return false;
    await tx.query("update auth.signing_keys set status = 'active', status_at = now() where status = 'standby'");
    await tx.query(
      "delete from auth.signing_keys where status = 'retired' and status_at < now() - make_interval(secs => $1)",
      [RETIRED_SECONDS],
    );
    return true;
  });

/** Replaces the keys under a former secret that would sign: the one on standby at once, then the active one by the new one. */
async function replaceFormer(db: Database, secrets: Keyring) {
  if (secrets.length === 1) return;
  const isFormer = ({ sealed_private_jwk }: KeyRow) => {
    unsealKey(sealed_private_jwk, secrets);
    try {
      unseal(sealed_private_jwk, [secrets[0]]);
      return false;
    } catch {
      return true;
    }
  };
  const former = (await load(db)).filter(({ status }) => status !== "retired").filter(isFormer);
  for (const { id } of former.filter(({ status }) => status === "standby"))
    await db.query("delete from auth.signing_keys where id = $1 and status = 'standby'", [id]);
  await fill(db, secrets);
  for (const { id } of former.filter(({ status }) => status === "active")) await promote(db, 0, id);
  await fill(db, secrets);
}

/** Creates missing keys: an active one, and one on standby. */
async function fill(db: Database, secrets: Keyring) {
  for (const status of ["active", "standby"] as const) {
    const { rows } = await db.query("select from auth.signing_keys where status = $1", [status]);
    if (rows.length === 0) await add(db, secrets, status);
  }
}

/** Adds a key. If two processes add one at the same time, the second adds nothing. */
async function add(db: Transaction, secrets: Keyring, status: "active" | "standby") {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const id = randomUUID();
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: id, alg: "ES256", use: "sig", key_ops: ["verify"] };
  await db.query(
    `insert into auth.signing_keys (id, public_jwk, sealed_private_jwk, status) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [id, JSON.stringify(publicJwk), sealKey(await exportJWK(pair.privateKey), secrets), status],
  );
}
