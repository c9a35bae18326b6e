import rateLimit from "@fastify/rate-limit";
import type { FastifyPluginAsync } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import { foreignRefusal } from "../foreign-pages.ts";
import { answerUnknownPaths } from "../request-bounds.ts";
import { withSchemas } from "../route-schemas.ts";
import { refuseUnsupported } from "../unsupported.ts";
import { accountRoutes, factorRoutes } from "./account-routes.ts";
import { adminRoutes } from "./admin-routes.ts";
import { misfit, readJsonOnly } from "./bodies.ts";
import type { AuthContext } from "./context.ts";
import { answerErrors } from "./errors.ts";
import { externalRoutes } from "./external-routes.ts";
import { storeIn, tooMany } from "./limits.ts";
import { tokenRoutes } from "./token-routes.ts";
import { UNSUPPORTED } from "./unsupported.ts";
import { verifyRoutes } from "./verify-routes.ts";

/** Returns the response of `GET /settings` about sign-in methods. */
const settingsJson = ({ confirmAddresses, providers }: AuthContext) => ({
  external: {
    anonymous_users: false,
    email: true,
    phone: true,
    ...Object.fromEntries(["apple", "facebook", "google"].map((name) => [name, providers.has(name)])),
    ...Object.fromEntries([...providers.keys()].map((name) => [name, true])),
  },
  disable_signup: false,
  mailer_autoconfirm: !confirmAddresses,
  phone_autoconfirm: !confirmAddresses,
  sms_provider: "twilio",
  saml_enabled: false,
});

/** `auth/v1`: accounts and sessions. */
export const auth =
  (context: AuthContext): FastifyPluginAsync =>
  async (app) => {
    answerErrors(app);
    readJsonOnly(app);
    refuseUnsupported(app, UNSUPPORTED, (message) => new RequestError("not_supported", { message }));
    // Before the limits, so that it is not counted. Apple returns to /callback by a form of its own page.
    app.addHook("onRequest", async (request) => {
      const { config, url = "" } = request.routeOptions;
      const counts = "rateLimit" in config && request.method !== "GET" && !url.endsWith("/callback");
      if (counts && context.isForeign(request)) throw foreignRefusal();
    });
    await app.register(rateLimit, {
      global: false,
      timeWindow: "5 minutes",
      store: storeIn(context.limits),
      errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
    });
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });

    app.get("/health", async () => {
      await context.db.query("select 1");
      return { name: "auth", version: "1", description: "Accounts and sessions" };
    });

    app.get("/settings", async () => settingsJson(context));

    app.get("/.well-known/jwks.json", async (_request, reply) => {
      reply.header("cache-control", "public, max-age=600");
      return context.tokens.jwks();
    });

    const routes = withSchemas(app, misfit);
    accountRoutes(routes, context); // signup, user, reauthenticate, logout
    tokenRoutes(routes, context); // token
    verifyRoutes(routes, context); // otp, recover, resend, verify
    factorRoutes(routes, context); // factors, factors/:factorId/challenge, factors/:factorId/verify
    externalRoutes(routes, context); // authorize, callback, user/identities
    adminRoutes(routes, context); // admin/users, admin/generate_link, admin/rotate_keys, invite

    answerUnknownPaths(app, async () => {
      throw new RequestError("not_found", { message: "Not found" });
    });
  };
