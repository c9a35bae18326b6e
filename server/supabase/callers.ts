import { timingSafeEqual } from "node:crypto";
import { errors } from "jose";
import { type Caller, SERVICE, VISITOR } from "../database/as-caller.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Tokens } from "./tokens.ts";

/** The two keys that are not tokens: the public one that every browser sends, and the service's own. */
export interface ApiKeys {
  publishable: string;
  secret: string;
}

/** A bearer that is neither a key of ours nor a valid token. Each surface words it in its own protocol. */
export class BadBearerError extends Error {
  constructor(
    readonly expired: boolean,
    message: string,
  ) {
    super(message);
  }
}

/** The token's session has ended before the token: clients treat it as an expired one, and find that they cannot renew it. */
export class SessionEndedError extends BadBearerError {
  constructor() {
    super(true, "JWT expired");
  }
}

/** What {@link Identify} reads of a request; Fastify's and the web's requests satisfy it. */
export interface Credentials {
  authorization?: string;
  apikey?: string;
}

export type Identify = (credentials: Credentials) => Promise<Caller>;

/** Finds out who calls: a user's or share visitor's token, the service's key, or a visitor. Rejects with {@link BadBearerError}, also once the token's session has ended. */
export const identifyBy =
  (tokens: Tokens, keys: ApiKeys, sessions: OpenSessions): Identify =>
  async ({ authorization, apikey }) => {
    const bearer = authorization?.match(/^Bearer\s+(\S+)$/i)?.[1] ?? apikey ?? keys.publishable;
    if (bearer === keys.publishable) return VISITOR;
    if (same(bearer, keys.secret)) return SERVICE;
    const claims = await tokens.verify(bearer).catch((error: unknown) => {
      if (error instanceof errors.JWTExpired) throw new BadBearerError(true, "JWT expired");
      throw new BadBearerError(false, "JWT could not be verified");
    });
    const { role } = claims;
    // `service_role` is never signed into a token: only the secret key grants it.
    if (role !== "anon" && role !== "authenticated") throw new BadBearerError(false, "JWT has no role that may call");
    const caller: Caller = { ...claims, role };
    const isOpen = sessions.isOpen(caller);
    if (isOpen !== true && !(await isOpen)) throw new SessionEndedError();
    return caller;
  };

const same = (given: string, known: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(known)];
  return a.length === b.length && timingSafeEqual(a, b);
};
