import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import { checkCaptcha } from "./captcha.ts";
import type { AuthContext } from "./context.ts";
import { idTokenGrant } from "./external/id-token-grant.ts";
import { exchangeAuthCode } from "./flow-state.ts";
import { deviceOf, type Grant, sessionJson } from "./grant.ts";
import { exchange } from "./refresh-tokens.ts";
import { readCodeGrant, readPasswordGrant, readRefreshToken } from "./requests.ts";
import { signIn } from "./sign-in.ts";
import { web3Grant } from "./wallets/web3-grant.ts";

/** `POST /token?grant_type=…`: what opens a session, or goes on with one. */
export function tokenRoutes(app: FastifyInstance, auth: AuthContext) {
  const grants: Record<string, (request: FastifyRequest) => Promise<Grant>> = {
    password: (request) => signIn(auth, readPasswordGrant(request.body), deviceOf(request)),
    refresh_token: (request) =>
      exchange(auth.db, auth.refreshSecret, readRefreshToken(request.body), deviceOf(request)),
    pkce: (request) => exchangeAuthCode(auth, readCodeGrant(request.body), deviceOf(request)),
    id_token: (request) => idTokenGrant(auth, request),
    web3: (request) => web3Grant(auth, request),
  };

  app.post("/token", { config: { rateLimit: perGrant(auth.triesPerAddress) } }, async (request) => {
    const name = grantOf(request);
    const grant = typeof name === "string" && Object.hasOwn(grants, name) ? grants[name] : undefined;
    if (!grant) throw new RequestError("validation_failed", { message: "unsupported_grant_type" });
    if (!GOES_ON.has(String(name))) await checkCaptcha(auth, request);
    return sessionJson(auth.tokens, await grant(request));
  });
}

/** What goes on with something that a check of its own opened, or that a third party vouches for. */
const GOES_ON = new Set(["refresh_token", "pkce", "id_token"]);

const grantOf = (request: FastifyRequest) => (request.query as Record<string, unknown>).grant_type;

/** Refreshing guesses at nothing, and one household has many tabs: it has a count of its own, five times as high. */
const perGrant = (tries: number) => ({
  keyGenerator: (request: FastifyRequest) =>
    `${grantOf(request) === "refresh_token" ? "refresh" : "sign-in"} from ${normalizeIP(request.ip)}`,
  max: (request: FastifyRequest) => (grantOf(request) === "refresh_token" ? tries * 5 : tries),
});
