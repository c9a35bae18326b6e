import { timingSafeEqual } from "node:crypto";
import { errors } from "jose";
import { type Caller, SERVICE, VISITOR } from "../database/as-caller.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Tokens } from "./tokens.ts";

/** The two API keys that are not tokens: the public key that every browser sends, and the service's secret key. */
export interface ApiKeys {
  publishable: string;
  /** Those of pages that were opened before the root secret changed. */
  formerPublishable: string[];
  secret: string;
}

/** The error for a bearer that is neither an API key nor a valid token. Each API reports it in its own protocol. */
export class BadBearerError extends Error {
  constructor(
    readonly expired: boolean,
    message: string,
  ) {
    super(message);
  }
}

/** The error for a token whose session has ended. Clients treat the token as expired, and cannot refresh it. */
export class SessionEndedError extends BadBearerError {
  constructor() {
    super(true, "JWT expired");
  }
}

/** The fields of a request that {@link Identify} reads. Requests of Fastify and of the web can provide them. */
export interface Credentials {
  authorization?: string;
  apikey?: string;
}

export type Identify = (credentials: Credentials) => Promise<Caller>;

/**
 * Returns a function that resolves to the caller of a request: a user or share visitor by token, the service by its
 * key, or a visitor. Claims that the account or session no longer has are replaced by the present ones. It rejects with
 * {@link BadBearerError}, also if the token's session has ended.
 */
export const identifyBy =
  (tokens: Tokens, keys: ApiKeys, sessions: OpenSessions): Identify =>
  async ({ authorization, apikey }) => {
    const bearer = authorization?.match(/^Bearer\s+(\S+)$/i)?.[1] ?? apikey ?? keys.publishable;
    if (bearer === keys.publishable || keys.formerPublishable.includes(bearer)) return VISITOR;
    if (same(bearer, keys.secret)) return SERVICE;
    const claims = await tokens.verify(bearer).catch((error: unknown) => {
      if (error instanceof errors.JWTExpired) throw new BadBearerError(true, "JWT expired");
      throw new BadBearerError(false, "JWT could not be verified");
    });
    const { role } = claims;
    // `service_role` is never signed into a token: only the secret key grants it.
    if (role !== "anon" && role !== "authenticated") throw new BadBearerError(false, "JWT has no role that may call");
    const caller = await sessions.present({ ...claims, role });
    if (!caller) throw new SessionEndedError();
    return caller;
  };

/** The caller of a bearer token. A token that is invalid or has expired counts as none. */
export async function optionalCaller(identify: Identify, authorization: string | undefined): Promise<Caller> {
  if (!authorization) return VISITOR;
  try {
    return await identify({ authorization });
  } catch (error) {
    if (error instanceof BadBearerError) return VISITOR;
    throw error;
  }
}

const same = (value: string, expected: string) => {
  const [a, b] = [Buffer.from(value), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
