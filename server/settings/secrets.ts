import { hkdfSync, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Keyring } from "../supabase/sealed.ts";

export interface Secrets {
  /** The publishable API key, and the secret one: the same for every process with the same root secret. */
  publishableKey: string;
  /** Former publishable keys, which pages have that were opened before. They are public, like the current one. */
  formerPublishableKeys: string[];
  secretKey: string;
  /** Keys of 32 bytes, each for one purpose. */
  urls: Uint8Array;
  refreshTokens: Uint8Array;
  codes: Uint8Array;
  downloads: Uint8Array;
  calendars: Uint8Array;
  /** The same for what stays stored. */
  sealing: Keyring;
  pins: Keyring;
  readablePins: Keyring;
  factors: Keyring;
  unsubscribing: Keyring;
  guests: Keyring;
}

/** The root secret, and former ones. */
export type RootKeys = readonly [current: Buffer, ...former: Buffer[]];

/** Derives all secrets from SECRET_KEY or, if unset, from a key that is generated once in `dataDir`. */
export async function openSecrets(settings: { secretKey?: string; dataDir: string }): Promise<Secrets> {
  const [root, ...formerRoots] = await openRootKeys(settings);
  const deriveFrom = (from: Buffer, purpose: string) =>
    new Uint8Array(hkdfSync("sha256", from, "", `skies ${purpose}`, 32));
  const derive = (purpose: string) => deriveFrom(root, purpose);
  const ring = (purpose: string): Keyring => [
    derive(purpose),
    ...formerRoots.map((former) => deriveFrom(former, purpose)),
  ];
  const tokenOf = (prefix: string, key: Uint8Array) =>
    `${prefix}_${Buffer.from(key).toString("base64url").slice(0, 32)}`;
  const [publishable, ...formerPublishable] = ring("publishable key").map((key) => tokenOf("sb_publishable", key));
  return {
    publishableKey: publishable ?? "",
    formerPublishableKeys: formerPublishable,
    secretKey: tokenOf("sb_secret", derive("secret key")),
    sealing: ring("sealing of signing keys"),
    pins: ring("pins"),
    readablePins: ring("pins that managers read again"),
    urls: derive("signed urls"),
    refreshTokens: derive("refresh tokens"),
    codes: derive("one-time codes and counts"),
    factors: ring("second factors and providers' tokens"),
    downloads: derive("tickets of downloads"),
    unsubscribing: ring("links that end mail"),
    guests: ring("keys of guests"),
    calendars: derive("addresses of calendars"),
  };
}

/** The keys in a text, as SECRET_KEY and `secret.key` contain them: in base64, the current one first. */
export const keysIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** The text of keys, for {@link keysIn}. */
export const textOfKeys = (keys: RootKeys): string => keys.map((key) => key.toString("base64")).join(",");

/** SECRET_KEY or, if unset, the keys in `dataDir`, of which the first one is generated if missing. */
export async function openRootKeys(settings: { secretKey?: string; dataDir: string }): Promise<RootKeys> {
  const text = settings.secretKey ?? (await rootKeysIn(settings.dataDir));
  const [current, ...former] = keysIn(text).map((key) => Buffer.from(key, "base64"));
  // Keys of a restored installation may be longer.
  if (!current || [current, ...former].some((key) => key.length < 32)) {
    throw new Error(
      settings.secretKey
        ? "SECRET_KEY needs at least 32 bytes in base64."
        : `${rootKeyPath(settings.dataDir)} is damaged: restore it from a backup, or set SECRET_KEY.`,
    );
  }
  return [current, ...former];
}

/** A fingerprint that identifies a root secret without revealing it. */
export const checkOfKey = (root: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", root, "", "skies check of a backup", 16)).toString("hex");

/** Whether a text of {@link keysIn} contains the key with this fingerprint. */
export const hasKey = (text: string, check: string): boolean =>
  keysIn(text).some((key) => checkOfKey(Buffer.from(key, "base64")) === check);

/** The path of the root secret's file. */
export const rootKeyPath = (dataDir: string): string => join(dataDir, "secret.key");

async function rootKeysIn(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = rootKeyPath(dataDir);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      const key = randomBytes(32).toString("base64");
      await file.writeFile(key);
      await file.sync();
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFile(path, "utf8");
}
