import { importPKCS8, SignJWT } from "jose";
import type { ClientAuth } from "openid-client";

/** A key that Apple gave for signing its clients' secrets. */
export interface AppleKey {
  teamId: string;
  keyId: string;
  /** PKCS #8, as in the file that Apple offers once. */
  privateKey: string;
}

/** Apple's secrets are tokens that their client signs, good for as long as it says; one for each use here. */
export const appleSecret =
  ({ teamId, keyId, privateKey }: AppleKey): ClientAuth =>
  async (server, { client_id }, body) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .setAudience(server.issuer)
      .setSubject(client_id)
      .sign(await importPKCS8(privateKey, "ES256"));
    body.set("client_id", client_id);
    body.set("client_secret", secret);
  };
