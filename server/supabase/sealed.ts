import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { JWK } from "jose";

/** AES-256-GCM under `secret` (32 bytes). Opens only with the same `place`: a value cannot move to another row. */
export function seal(text: string, secret: Uint8Array, place = ""): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** The text that was sealed; throws where it was sealed under another secret or for another place. */
export function unseal(sealed: string, secret: Uint8Array, place = ""): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}

/** A private key as it may be stored, sealed under `secret` (32 bytes). */
export const sealKey = (jwk: JWK, secret: Uint8Array): string => seal(JSON.stringify(jwk), secret);

/** The key that was sealed; throws where it was sealed under another secret. */
export function unsealKey(sealed: string, secret: Uint8Array): JWK {
  try {
    return JSON.parse(unseal(sealed, secret));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
