import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { JWK } from "jose";

/** A private key as it may be stored: AES-256-GCM under `secret` (32 bytes). */
export function seal(jwk: JWK, secret: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(jwk), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** The key that was sealed; throws where it was sealed under another secret. */
export function unseal(sealed: string, secret: Uint8Array): JWK {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8"));
  } catch {
    throw new Error("The signing key was sealed under another SECRET_KEY. Start with the one this data was made with.");
  }
}
