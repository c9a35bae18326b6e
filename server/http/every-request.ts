import compress from "@fastify/compress";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import type { RefusalCount } from "../limits/count-refusals.ts";
import type { RequestLimits } from "../limits/request-limits.ts";
import { isPublicPage, pathOf } from "../pages/web-page.ts";
import { collectorsOf } from "../settings/collector-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { crossOrigin } from "../supabase/cors.ts";
import { boundRequests, readBoundedJson } from "../supabase/request-bounds.ts";
import { PERMISSIONS_POLICY, securityHeaders } from "./security-headers.ts";
import { noticeUntrustedProxies } from "./untrusted-proxy.ts";

interface Options {
  settings: Settings;
  /** The folder of the built web app; absent in development, when Vite serves it. */
  webFolder?: string | undefined;
  limits: RequestLimits;
  refusals?: RefusalCount | undefined;
}

/** Adds what every request passes before its route: headers, compression, CORS, limits and bounds. */
export async function prepareRequests(app: FastifyInstance, { settings, webFolder, limits, refusals }: Options) {
  const headers = {
    webFolder,
    widgets: [settings.TURNSTILE_SCRIPT_URL],
    collectors: collectorsOf(settings).map(({ url }) => url),
    publicUrl: settings.PUBLIC_URL,
    isProduction: settings.NODE_ENV === "production",
  };
  await app.register(helmet, securityHeaders(headers));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("permissions-policy", PERMISSIONS_POLICY);
    reply.header("x-request-id", request.id);
    // The default: responses are private and not cached. Files and pages override it.
    reply.header("cache-control", "no-store");
    if (!isPublicPage(pathOf(request.url))) reply.header("x-robots-tag", "noindex");
  });
  app.addHook("onRequest", async (request, reply) => {
    // Node leaves the connection of an upgrade request open, also after a plain HTTP answer such as a refusal.
    if (request.headers.upgrade !== undefined) reply.raw.once("finish", () => request.raw.socket.destroySoon());
  });
  noticeUntrustedProxies(app);
  await app.register(compress, { global: false });
  await app.register(cors, crossOrigin);
  // After the headers that every answer needs, so that a browser can read the refusals.
  refusals?.install(app);
  limits.install(app);
  boundRequests(app);
  readBoundedJson(app);
}
