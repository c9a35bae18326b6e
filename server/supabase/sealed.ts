import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { JWK } from "jose";

/**
 * Encrypts a text by AES-256-GCM with `secret` (32 bytes). Decryption requires the same `place`, so that a value cannot
 * be moved to another row.
 */
export function seal(text: string, secret: Uint8Array, place = ""): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Decrypts a sealed text. Throws if it was sealed with another secret or for another place. */
export function unseal(sealed: string, secret: Uint8Array, place = ""): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}

/** Encrypts a private key with `secret` (32 bytes) for storage. */
export const sealKey = (jwk: JWK, secret: Uint8Array): string => seal(JSON.stringify(jwk), secret);

/** Decrypts a sealed key. Throws if it was sealed with another secret. */
export function unsealKey(sealed: string, secret: Uint8Array): JWK {
  try {
    return JSON.parse(unseal(sealed, secret));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
