import { hkdfSync, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Secrets {
  /** Publishable and secret API keys, the same for every process with the same root secret. */
  publishableKey: string;
  secretKey: string;
  /** Keys of 32 bytes, each for one purpose. */
  sealing: Uint8Array;
  pins: Uint8Array;
  readablePins: Uint8Array;
  urls: Uint8Array;
  refreshTokens: Uint8Array;
  codes: Uint8Array;
  factors: Uint8Array;
  downloads: Uint8Array;
  unsubscribing: Uint8Array;
  guests: Uint8Array;
  calendars: Uint8Array;
}

/** Derives all secrets from SECRET_KEY or, if unset, from a key that is generated once in `dataDir`. */
export async function openSecrets(settings: { secretKey?: string; dataDir: string }): Promise<Secrets> {
  const root = await openRootKey(settings);
  const derive = (purpose: string) => new Uint8Array(hkdfSync("sha256", root, "", `skies ${purpose}`, 32));
  const named = (prefix: string, purpose: string) =>
    `${prefix}_${Buffer.from(derive(purpose)).toString("base64url").slice(0, 32)}`;
  return {
    publishableKey: named("sb_publishable", "publishable key"),
    secretKey: named("sb_secret", "secret key"),
    sealing: derive("sealing of signing keys"),
    pins: derive("pins"),
    readablePins: derive("pins that managers read again"),
    urls: derive("signed urls"),
    refreshTokens: derive("refresh tokens"),
    codes: derive("one-time codes and counts"),
    factors: derive("second factors and providers' tokens"),
    downloads: derive("tickets of downloads"),
    unsubscribing: derive("links that end mail"),
    guests: derive("keys of guests"),
    calendars: derive("addresses of calendars"),
  };
}

/** SECRET_KEY or, if unset, the key in `dataDir`, which is generated if missing. */
export const openRootKey = (settings: { secretKey?: string; dataDir: string }): Promise<Buffer> =>
  settings.secretKey ? Promise.resolve(Buffer.from(settings.secretKey, "base64")) : rootKeyIn(settings.dataDir);

/** A fingerprint that identifies a root secret without revealing it. */
export const checkOfKey = (root: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", root, "", "skies check of a backup", 16)).toString("hex");

/** The path of the root secret's file. */
export const rootKeyPath = (dataDir: string): string => join(dataDir, "secret.key");

async function rootKeyIn(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true });
  const path = rootKeyPath(dataDir);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      const key = randomBytes(32);
      await file.writeFile(key.toString("base64"));
      await file.sync();
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = Buffer.from(await readFile(path, "utf8"), "base64");
  // A restored installation may store a former SECRET_KEY here, which may be longer.
  if (key.length < 32) throw new Error(`${path} is damaged: restore it from a backup, or set SECRET_KEY.`);
  return key;
}
