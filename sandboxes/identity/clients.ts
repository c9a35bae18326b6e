import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { jwtVerify } from "jose";

/** The credentials of the sandbox's clients. */
export const CLIENTS = {
  google: { id: "sandbox-google", secret: "a sandbox's secret for Google" },
  facebook: { id: "sandbox-facebook", secret: "a sandbox's secret for Facebook" },
  apple: { id: "sandbox-apple", teamId: "SANDBOX001", keyId: "SANDBOXKEY" },
} as const;

/**
 * Generates a private key, as Apple issues to its clients, and a check of the client secrets that are signed with it.
 */
export function appleKey(issuer: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    isSecret: (secret: string) => isAppleSecret(secret, publicKey, issuer),
  };
}

async function isAppleSecret(secret: string, publicKey: KeyObject, issuer: string): Promise<boolean> {
  const { id, teamId, keyId } = CLIENTS.apple;
  try {
    const { protectedHeader } = await jwtVerify(secret, publicKey, {
      algorithms: ["ES256"],
      issuer: teamId,
      subject: id,
      audience: issuer,
      maxTokenAge: "180 days",
    });
    return protectedHeader.kid === keyId;
  } catch {
    return false;
  }
}
