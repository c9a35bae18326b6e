import type { JWK } from "jose";
import { seal, unseal } from "./sealed.ts";

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
