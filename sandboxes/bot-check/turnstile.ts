import type { FastifyPluginAsync } from "fastify";
import { openSiteverify } from "./siteverify.ts";
import { widgetScript } from "./widget-script.ts";

/** Stands in for Turnstile: the widget that tells people from programs, and the service that is asked about its tokens. */
export interface Turnstile {
  /** http://127.0.0.1:…/turnstile/v0, in place of https://challenges.cloudflare.com/turnstile/v0. */
  baseUrl: string;
  siteKey: string;
  secretKey: string;
  /** Where the widget's script is once the routes are mounted at /sandbox/bot-check. */
  scriptPath: string;
  routes: FastifyPluginAsync;
  close(): Promise<void>;
}

export async function openTurnstile(): Promise<Turnstile> {
  // The vendor's own keys for tests that always pass.
  const [siteKey, secretKey] = ["1x00000000000000000000AA", "1x0000000000000000000000000000000AA"];
  const siteverify = await openSiteverify(secretKey);
  return {
    baseUrl: siteverify.url,
    siteKey,
    secretKey,
    scriptPath: "/sandbox/bot-check/turnstile/v0/api.js",
    routes: async (app) => {
      app.get("/turnstile/v0/api.js", async (_request, reply) =>
        reply.type("text/javascript; charset=utf-8").header("cache-control", "no-store").send(widgetScript),
      );
    },
    close: siteverify.close,
  };
}
