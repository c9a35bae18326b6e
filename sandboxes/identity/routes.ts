import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import { CLIENTS } from "./clients.ts";
import { graph } from "./graph.ts";
import { signInPage } from "./page.ts";

/** What a page's form says instead of who it is. */
const ENDS: Record<string, { error: string; error_description: string }> = {
  cancel: { error: "access_denied", error_description: "The resource owner denied the request" },
  error: { error: "server_error", error_description: "The sandbox was asked to fail" },
};

const NAMES: Record<string, string> = {
  [CLIENTS.google.id]: "Google",
  [CLIENTS.facebook.id]: "Facebook",
  [CLIENTS.apple.id]: "Apple",
};

/** Nobody stays signed in: the next one in the same browser may be somebody else, and is asked without a farewell first. */
const withoutSession = (cookies = "") =>
  cookies
    .split("; ")
    .filter((cookie) => !cookie.startsWith("_session"))
    .join("; ");

/** The provider's endpoints, its page, and Facebook's names for some of them. */
export const routes =
  (provider: () => Promise<Provider>): FastifyPluginAsync =>
  async (app) => {
    const { prefix } = app;

    /** Hands a request to the provider as one for `path`, where it is mounted. */
    const hand = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
      const handle = (await provider()).callback();
      reply.hijack();
      Object.assign(request.raw, { url: path, originalUrl: prefix + path });
      request.raw.headers.cookie = withoutSession(request.headers.cookie);
      await handle(request.raw, reply.raw);
    };

    await app.register(async (page) => {
      page.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );

      page.get("/interaction/:uid", async (request, reply) => {
        const { params } = await (await provider()).interactionDetails(request.raw, reply.raw);
        reply.header("cache-control", "no-store").type("text/html; charset=utf-8");
        const client = NAMES[String(params.client_id)] ?? String(params.client_id);
        return signInPage({ client, hint: String(params.login_hint ?? "") });
      });

      page.post<{ Body: { login?: string; end?: string } | null }>("/interaction/:uid", async (request, reply) => {
        const { login = "", end = "" } = request.body ?? {};
        const result = ENDS[end] ?? { login: { accountId: login.trim().toLowerCase(), remember: false } };
        const known = await provider();
        await known.interactionDetails(request.raw, reply.raw);
        reply.hijack();
        await known.interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
      });

      graph(page, provider);
    });

    await app.register(async (endpoints) => {
      // The provider reads bodies by itself.
      endpoints.removeAllContentTypeParsers();
      endpoints.addContentTypeParser("*", (_request, _body, done) => done(null));

      // Facebook parts scopes by commas, names no type of response, and has one mode of its own.
      endpoints.get<{ Querystring: Record<string, string> }>("/facebook/dialog/oauth", async (request, reply) => {
        const query = new URLSearchParams({ ...request.query, response_type: "code", response_mode: "facebook" });
        query.set("scope", query.get("scope")?.replaceAll(",", " ") ?? "public_profile");
        return hand(request, reply, `/auth?${query}`);
      });

      endpoints.post("/facebook/oauth/access_token", (request, reply) => hand(request, reply, "/token"));

      endpoints.all("/*", (request, reply) => hand(request, reply, request.url.slice(prefix.length) || "/"));
    });
  };
