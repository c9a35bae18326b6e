import { createHash } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Caller } from "../../database/as-caller.ts";
import { StorageError } from "./storage-error.ts";

/** The object and caller of a signed URL. */
export interface Signed {
  /** `bucket/name`. */
  url: string;
  caller: Caller;
}

/** Claims that a URL must not contain: personal data and times. AAL and session stay, because policies use them. */
const NOT_IN_URLS = new Set(
  "iss aud exp nbf iat jti email phone app_metadata user_metadata amr is_anonymous".split(" "),
);

/** Returns the claims by which row policies recognise the caller. */
export const lastingClaims = (caller: Caller): Caller => ({
  ...Object.fromEntries(Object.entries(caller).filter(([claim]) => !NOT_IN_URLS.has(claim))),
  role: caller.role,
});

/**
 * Returns the expiry of a URL that is created now for `lifetime` seconds, in seconds since 1970. It is rounded up to
 * the next quarter of the lifetime, so that a request soon after gives the same URL, which the browser has cached.
 */
export function endOf(lifetime: number, nowSeconds: number): number {
  const quarter = Math.max(1, Math.floor(lifetime / 4));
  return Math.ceil((nowSeconds + lifetime) / quarter) * quarter;
}

/** Returns the token of a URL for `bucket/name`, with the caller's rights for `lifetime` seconds or a little longer. */
export const signUrl = (secret: Uint8Array, signed: Signed, lifetime: number, nowSeconds = Date.now() / 1000) =>
  new SignJWT({ url: signed.url, caller: lastingClaims(signed.caller) })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setExpirationTime(endOf(lifetime, nowSeconds))
    .sign(secret);

/** The number of cached tokens; a browser sends the same ones for an hour. */
const REMEMBERED = 5000;

/** Resolves to the caller of a signed `url`. Refuses a token that is forged, expired or made for another object. */
export type OpenUrl = (token: unknown, url: string) => Promise<Caller>;

export function urlOpener(secret: Uint8Array): OpenUrl {
  // Hashed, so that memory contains no usable token.
  const valid = new Map<string, Signed & { exp: number }>();

  async function verify(token: string): Promise<Signed & { exp: number }> {
    const hash = createHash("sha256").update(token).digest("base64");
    const cachedPayload = valid.get(hash);
    if (cachedPayload) return cachedPayload;
    const { payload } = await jwtVerify<Signed>(token, secret, { algorithms: ["HS256"], requiredClaims: ["exp"] });
    const signed = { url: payload.url, caller: payload.caller, exp: payload.exp ?? 0 };
    valid.set(hash, signed);
    const [oldest] = valid.keys();
    if (valid.size > REMEMBERED && oldest !== undefined) valid.delete(oldest);
    return signed;
  }

  return async (token, url) => {
    if (typeof token !== "string" || token === "") {
      throw new StorageError(400, "InvalidSignature", "The token of this link is missing");
    }
    try {
      const signed = await verify(token);
      if (signed.exp <= Date.now() / 1000) throw expired();
      if (signed.url === url) return signed.caller;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw expired();
      if (!(error instanceof errors.JOSEError)) throw error;
    }
    throw new StorageError(400, "InvalidSignature", "This link is not valid");
  };
}

const expired = () => new StorageError(400, "InvalidJWT", "This link has expired");
