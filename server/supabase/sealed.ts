import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { JWK } from "jose";

/**
 * The key under which something is stored now, and the former ones, under which it may have been stored. A former key
 * only reads what is stored, and finds it. It never grants anything by itself.
 */
export type Keyring = readonly [current: Uint8Array, ...former: Uint8Array[]];

/**
 * Encrypts a text by AES-256-GCM with the current key of `secrets` (32 bytes). Decryption requires the same `place`, so
 * that a value cannot be moved to another row.
 */
export function seal(text: string, [secret]: Keyring, place = ""): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Decrypts a sealed text. Throws if it was sealed with a key that is not of `secrets`, or for another place. */
export function unseal(sealed: string, secrets: Keyring, place = ""): string {
  for (const secret of secrets.slice(0, -1)) {
    try {
      return unsealWith(sealed, secret, place);
    } catch {
      // Another key of the ring may open it.
    }
  }
  return unsealWith(sealed, secrets.at(-1) ?? secrets[0], place);
}

function unsealWith(sealed: string, secret: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}

/** Encrypts a private key with the current key of `secrets` (32 bytes) for storage. */
export const sealKey = (jwk: JWK, secrets: Keyring): string => seal(JSON.stringify(jwk), secrets);

/** Decrypts a sealed key. Throws if it was sealed with a key that is not of `secrets`. */
export function unsealKey(sealed: string, secrets: Keyring): JWK {
  try {
    return JSON.parse(unseal(sealed, secrets));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
