import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { Configuration } from "openid-client";
import { RequestError } from "../../../../shared/request-error.ts";
import { personOf } from "./claims.ts";
import type { IdTokenGiven, Provider } from "./provider.ts";
import { requireSafe } from "./safe-address.ts";

/** Asymmetric algorithms only: a key that verifies tokens must not be able to sign them. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** The tolerated clock difference, in seconds. */
const TOLERANCE = 60;
/** The maximum age of a provider's token. This check also refuses a token that was issued in the future. */
const OLDEST = "1 day";

interface Issuer {
  configuration(): Promise<Configuration>;
  clientIds: string[];
  /** Accepted values of the `iss` claim. */
  names: string[];
}

/** Returns a reader of ID tokens that one issuer issued for one of these clients. */
export function openIdTokens({ configuration, clientIds, names }: Issuer): NonNullable<Provider["readIdToken"]> {
  let keys: { address: string; find: ReturnType<typeof createRemoteJWKSet> } | undefined;

  const keysOf = async () => {
    const address = (await configuration()).serverMetadata().jwks_uri;
    if (address === undefined) throw new Error(`${names[0]} publishes no keys`);
    requireSafe(address);
    if (keys?.address !== address) keys = { address, find: createRemoteJWKSet(new URL(address)) };
    return keys.find;
  };

  return async ({ token, nonce, accessToken }) => {
    const { payload, protectedHeader } = await jwtVerify(token, await keysOf(), {
      algorithms: ALGORITHMS,
      issuer: names,
      requiredClaims: ["sub", "exp", "iat", "aud"],
      maxTokenAge: OLDEST,
      clockTolerance: TOLERANCE,
    }).catch((error: unknown) => {
      throw isTokenError(error) ? badToken("Bad ID token") : error;
    });
    const audiences = [payload.aud ?? []].flat();
    if (!audiences.some((audience) => clientIds.includes(audience))) {
      throw new RequestError("unexpected_audience");
    }
    checkNonce(payload, nonce);
    checkAccessToken(payload, protectedHeader.alg, accessToken);
    return { person: personOf(payload, names[0] ?? ""), expiresAt: payload.exp ?? 0 };
  };
}

/** Whether an error concerns the token, rather than fetching the keys. */
const isTokenError = (error: unknown) =>
  error instanceof errors.JOSEError && !["ERR_JWKS_TIMEOUT", "ERR_JOSE_GENERIC"].includes(error.code);

function checkNonce({ nonce: stated }: JWTPayload, nonce: IdTokenGiven["nonce"]) {
  if (Boolean(stated) !== Boolean(nonce)) {
    throw badToken("Passed nonce and nonce in id_token should either both exist or not.");
  }
  if (nonce === undefined || nonce === "") return;
  // Clients send the provider a hash of the nonce, so that an eavesdropper there cannot use the token.
  const hash = createHash("sha256").update(nonce).digest("hex");
  if (stated !== hash && stated !== nonce) throw badToken("Nonces mismatch");
}

/**
 * Checks `at_hash`: the first half of the access token's hash, by the ID token's own algorithm (OpenID Connect Core,
 * 3.1.3.6).
 */
function checkAccessToken({ at_hash: stated }: JWTPayload, algorithm: string, accessToken: string | undefined) {
  if (accessToken === undefined || stated === undefined) return;
  const bits = algorithm.match(/(256|384|512)$/)?.[1] ?? "512";
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (stated !== hash.subarray(0, hash.length / 2).toString("base64url")) throw badToken("Bad ID token");
}

const badToken = (message: string) => new RequestError("validation_failed", { message });
