import { createHash } from "node:crypto";
import { errors, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Database } from "../database/database.ts";
import type { Keyring } from "./sealed.ts";
import { openSigningKeys } from "./signing-keys.ts";

/** Signs and verifies tokens that identify callers. ES256, so that any service can verify them by the JWKS. */
export interface Tokens {
  /** Resolves to a signed token that expires `seconds` from now. */
  sign(claims: JWTPayload, seconds: number): Promise<string>;
  /** Resolves to the claims of a valid token. Otherwise rejects with jose's error (`ERR_JWT_EXPIRED` …). */
  verify(token: string): Promise<Readonly<JWTPayload>>;
  /** Like `verify`, but also accepts an expired token. It shows what its holder once had, and must not admit anybody. */
  verifyExpired(token: string): Promise<Readonly<JWTPayload>>;
  /** Resolves to every public key whose tokens are still accepted, as `.well-known/jwks.json` shows them. */
  jwks(): Promise<{ keys: JWK[] }>;
  /**
   * Replaces the signing key if it has signed for `olderThan` seconds or more (0: at once). Tokens of the old key stay
   * valid until they expire. Resolves to whether the key was replaced.
   */
  rotateKeys(olderThan: number): Promise<boolean>;
}

/** Opens the tokens of the keys in `auth.signing_keys`, whose private halves are encrypted with `secret`. */
export async function openTokens(db: Database, settings: { secret: Keyring; issuer: string }): Promise<Tokens> {
  const keys = await openSigningKeys(db, settings.secret);
  const verified = rememberVerified();

  async function read(token: string, currentDate?: Date): Promise<JWTPayload> {
    const keyFor = async ({ kid = "" }: { kid?: string }) => {
      const key = await keys.find(kid);
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const { payload } = await jwtVerify(token, keyFor, {
      algorithms: ["ES256"],
      issuer: settings.issuer,
      requiredClaims: ["exp", "role"],
      ...(currentDate && { currentDate }),
    });
    return payload;
  }

  return {
    async sign(claims, seconds) {
      const { id, key } = await keys.signer();
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", kid: id, typ: "JWT" })
        .setIssuer(settings.issuer)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(key);
    },
    async verify(token) {
      const hash = createHash("sha256").update(token).digest("base64");
      const cachedClaims = verified.get(hash);
      if (cachedClaims) return cachedClaims;
      const payload = await read(token);
      verified.add(hash, payload);
      return payload;
    },
    // Every expiry time is after the epoch.
    verifyExpired: (token) => read(token, new Date(0)),
    async jwks() {
      return { keys: await keys.published() };
    },
    rotateKeys: (olderThan) => keys.rotate(olderThan),
  };
}

/** The number of cached tokens; a browser sends the same one for an hour, and verifying it is most of the cost. */
const REMEMBERED = 2000;

/** Returns a cache of verified claims by token hash, so that memory holds no usable token. Only valid tokens enter. */
function rememberVerified() {
  const claims = new Map<string, Readonly<JWTPayload>>();
  return {
    get(hash: string) {
      const cachedClaims = claims.get(hash);
      if (!cachedClaims) return undefined;
      claims.delete(hash);
      // An expired token is verified again, so that callers get the error that they know.
      if ((cachedClaims.exp ?? 0) <= Date.now() / 1000) return undefined;
      claims.set(hash, cachedClaims);
      return cachedClaims;
    },
    add(hash: string, payload: JWTPayload) {
      claims.set(hash, Object.freeze(payload));
      const [oldest] = claims.keys();
      if (claims.size > REMEMBERED && oldest !== undefined) claims.delete(oldest);
    },
  };
}
