import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { Refusal } from "../../../shared/refusal.ts";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";
import type { Tokens } from "../tokens.ts";
import { changeAccount, signIn, signUp } from "./accounts.ts";
import { answerErrors } from "./errors.ts";
import { type Device, sessionJson } from "./grant.ts";
import { openPasswords } from "./passwords.ts";
import { exchange } from "./refresh-tokens.ts";
import {
  readJsonOnly,
  readLogoutScope,
  readPasswordGrant,
  readRefreshToken,
  readSignUp,
  readUserChange,
} from "./requests.ts";
import { signOut } from "./sessions.ts";
import { SETTINGS } from "./settings.ts";
import { requireSignedIn } from "./signed-in.ts";
import { userJson } from "./user-json.ts";

export interface AuthDeps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  /** 32 bytes from which refresh tokens follow one another; the same in every process. */
  refreshSecret: Uint8Array;
  /** How many sign-ups, and how many sign-ins, one address may try in five minutes. */
  triesPerAddress: number;
}

/** `auth/v1`: accounts and sessions. */
export const auth =
  ({ db, tokens, identify, refreshSecret, triesPerAddress }: AuthDeps): FastifyPluginAsync =>
  async (app) => {
    const passwords = openPasswords();
    const signedIn = (request: FastifyRequest) => requireSignedIn(db, identify, request.headers.authorization);

    answerErrors(app);
    readJsonOnly(app);
    await app.register(rateLimit, {
      global: false,
      timeWindow: "5 minutes",
      errorResponseBuilder: () => new Refusal(429, "Request rate limit reached", "over_request_rate_limit"),
    });
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });

    app.get("/health", async () => {
      await db.query("select 1");
      return { name: "auth", version: "1", description: "Accounts and sessions" };
    });

    app.get("/settings", async () => SETTINGS);

    app.get("/.well-known/jwks.json", async (_request, reply) => {
      reply.header("cache-control", "public, max-age=600");
      return tokens.jwks();
    });

    app.post("/signup", { config: { rateLimit: { max: triesPerAddress } } }, async (request) => {
      const account = readSignUp(request.body);
      return sessionJson(tokens, await signUp(db, passwords, account, deviceOf(request)));
    });

    app.post("/token", { config: { rateLimit: perGrant(triesPerAddress) } }, async (request) => {
      switch (grantOf(request)) {
        case "password": {
          const credentials = readPasswordGrant(request.body);
          return sessionJson(tokens, await signIn(db, passwords, credentials, deviceOf(request)));
        }
        case "refresh_token": {
          const token = readRefreshToken(request.body);
          return sessionJson(tokens, await exchange(db, refreshSecret, token, deviceOf(request)));
        }
        default:
          throw new Refusal(400, "unsupported_grant_type", "validation_failed");
      }
    });

    app.get("/user", async (request) => userJson(await signedIn(request)));

    app.put("/user", async (request) => {
      const person = await signedIn(request);
      const change = readUserChange(request.body);
      return userJson(await changeAccount(db, passwords, person, change));
    });

    app.post("/logout", async (request, reply) => {
      const person = await signedIn(request);
      await signOut(db, person, readLogoutScope(request.query));
      return reply.code(204).send();
    });

    app.all("/*", async () => {
      throw new Refusal(404, "Not found", "not_found");
    });
  };

const deviceOf = (request: FastifyRequest): Device => ({
  userAgent: request.headers["user-agent"]?.slice(0, 500) ?? null,
  address: request.ip,
});

const grantOf = (request: FastifyRequest) => (request.query as Record<string, unknown>).grant_type;

/** Refreshing guesses at nothing, and one household has many tabs: it has a count of its own, five times as high. */
const perGrant = (tries: number) => ({
  keyGenerator: (request: FastifyRequest) => `${grantOf(request) === "refresh_token"} ${normalizeIP(request.ip)}`,
  max: (request: FastifyRequest) => (grantOf(request) === "refresh_token" ? tries * 5 : tries),
});
