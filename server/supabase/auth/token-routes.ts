import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Routes } from "../route-schemas.ts";
import { invalid } from "./bodies.ts";
import { checkCaptcha } from "./captcha.ts";
import type { AuthContext } from "./context.ts";
import { idTokenGrant } from "./external/id-token-grant.ts";
import { exchangeAuthCode } from "./flow-state.ts";
import { deviceOf, type Grant, sessionJson } from "./grant.ts";
import { exchange } from "./refresh-tokens.ts";
import { readCodeGrant, readPasswordGrant, readRefreshToken } from "./requests.ts";
import { signIn } from "./sign-in.ts";
import { web3Grant } from "./wallets/web3-grant.ts";

/** `POST /token?grant_type=…`: opens or continues a session. */
export function tokenRoutes(app: Routes, auth: AuthContext) {
  // The body's schema depends on the grant, so each grant parses its own.
  const grants: Record<GrantType, (request: FastifyRequest) => Promise<Grant>> = {
    password: (request) => signIn(auth, readPasswordGrant(request.body), deviceOf(request)),
    refresh_token: (request) =>
      exchange(auth.db, auth.refreshSecret, readRefreshToken(request.body), deviceOf(request)),
    pkce: (request) => exchangeAuthCode(auth, readCodeGrant(request.body), deviceOf(request)),
    id_token: (request) => idTokenGrant(auth, request),
    web3: (request) => web3Grant(auth, request),
  };

  const signingIn = { config: { rateLimit: perGrant(auth.triesPerAddress) }, schema: { querystring: TokenQuery } };
  app.post("/token", signingIn, async (request) => {
    const { grant_type: name } = request.query;
    if (!WITHOUT_CAPTCHA.has(name)) await checkCaptcha(auth, request);
    return sessionJson(auth.tokens, await grants[name](request));
  });
}

const GrantName = z.enum(["password", "refresh_token", "pkce", "id_token", "web3"]);
type GrantType = z.output<typeof GrantName>;
const TokenQuery = z.object({
  grant_type: GrantName.catch(() => {
    throw invalid("unsupported_grant_type");
  }),
});

/** Grants without a captcha: they continue a step that had its own check, or a third party vouches for them. */
const WITHOUT_CAPTCHA: ReadonlySet<GrantType> = new Set(["refresh_token", "pkce", "id_token"]);

const grantOf = (request: FastifyRequest) => (request.query as Record<string, unknown>).grant_type;

/** Refreshes have a separate limit, five times as high: they guess nothing, and one household has many tabs. */
const perGrant = (tries: number) => ({
  keyGenerator: (request: FastifyRequest) =>
    `${grantOf(request) === "refresh_token" ? "refresh" : "sign-in"} from ${normalizeIP(request.ip)}`,
  max: (request: FastifyRequest) => (grantOf(request) === "refresh_token" ? tries * 5 : tries),
});
