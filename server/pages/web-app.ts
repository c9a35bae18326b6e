import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { ScanCard } from "../cards/scanned-card.ts";
import type { Database } from "../database/database.ts";
import type { PushKey } from "../gateways/push.ts";
import type { JobState } from "../jobs/worker.ts";
import type { Renderer } from "../rendering/render-thread.ts";
import { collectorsOf } from "../settings/collector-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { StaysAdmitted } from "../sharing/link-devices.ts";
import { blogFeed } from "./blog-feed.ts";
import type { LinkPreviews } from "./link-previews.ts";
import { findOldWebFile, keepWebFiles, sendOldWebFile } from "./old-web-files.ts";
import { openPagesWithRows } from "./pages-with-rows.ts";
import { openPosts } from "./posts.ts";
import { webManifests } from "./web-manifests.ts";
import { openPage, PageQuery, pageRoutes, pathOf } from "./web-page.ts";

interface WebAppDeps {
  db: Database;
  settings: Settings;
  publishableKey: string;
  pushKey: Pick<PushKey, "publicKey">;
  previews: LinkPreviews;
  scanCard: ScanCard;
  staysAdmitted: StaysAdmitted;
  jobStates: () => JobState[];
  renderer: Renderer;
  /** The folder of the built web app; absent if a development server serves the app. */
  folder?: string;
}

/** The companies that process personal data: those named by the operator, and those of the configured services. */
export const processorsOf = (settings: Settings): string[] => [
  ...new Set([
    ...settings.PROCESSORS,
    ...(settings.STRIPE_SECRET_KEY ? ["Stripe"] : []),
    ...(settings.TURNSTILE_SECRET_KEY ? ["Cloudflare"] : []),
    ...(settings.TWILIO_ACCOUNT_SID ? ["Twilio"] : []),
    ...(settings.GOOGLE_CLIENT_ID ? ["Google"] : []),
    ...(settings.APPLE_CLIENT_ID ? ["Apple"] : []),
    ...(settings.FACEBOOK_CLIENT_ID ? ["Meta"] : []),
    ...collectorsOf(settings).map(({ company }) => company),
  ]),
];

/**
 * Headers that only pages need. On a slow connection, 1.5 KB for each of forty files delayed the opening of a memory by
 * a second.
 */
const OF_PAGES = [
  "access-control-allow-origin",
  "access-control-expose-headers",
  "content-security-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "x-request-id",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];

/** Serves the web app's files, its public settings, and its page for every path of the app. */
export const webApp =
  ({
    db,
    settings,
    publishableKey,
    pushKey,
    previews,
    scanCard,
    staysAdmitted,
    jobStates,
    renderer,
    folder,
  }: WebAppDeps): FastifyPluginAsync =>
  async (app) => {
    for (const path of ["/health", "/healthz"]) app.get(path, async () => ({ status: "ok" }));

    app.get("/readyz", async () => {
      await db.read("select 1");
      // Names and times only: error messages may quote input.
      const jobs = jobStates().map(({ name, status, startedAt, succeededAt }) => ({
        name,
        status,
        startedAt,
        succeededAt,
      }));
      return { status: "ready", jobs };
    });

    const config = (request: FastifyRequest) => ({
      supabaseUrl: settings.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
      supabaseAnonKey: publishableKey,
      pushKey: pushKey.publicKey,
      // Outside production the sandboxes accept these keys.
      stripePublishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? "pk_test_sandbox",
      turnstileSiteKey: settings.TURNSTILE_SITE_KEY ?? "1x00000000000000000000AA",
      turnstileScriptUrl: settings.TURNSTILE_SCRIPT_URL,
      infoEmail: settings.MAIL_INFO,
      processors: processorsOf(settings),
      collectors: collectorsOf(settings).map(({ vendor, id, url }) => ({ vendor, id, url })),
    });
    app.get("/config.json", async (request, reply) => {
      reply.header("cache-control", "no-store");
      return config(request);
    });

    const posts = openPosts(db);
    await app.register(blogFeed(posts, settings.publicUrl));

    await app.register(webManifests(previews, folder));

    if (!folder || !existsSync(join(folder, "index.html"))) return;
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      // Files are sent below, without a route for each.
      serve: false,
      // Set below; the plugin's default would override it.
      cacheControl: false,
    });
    const withRows = openPagesWithRows({
      renderer,
      file: join(folder, "../render-pages.cjs"),
      origin: settings.publicUrl,
      publishableKey,
      async ask(url, apikey) {
        const { statusCode, body } = await app.inject({ url, headers: { apikey } });
        return { status: statusCode, body };
      },
      onError: (error) => app.log.error(error),
    });
    const page = openPage({
      db,
      posts,
      previews,
      withRows,
      folder,
      origin: settings.publicUrl,
      processors: processorsOf(settings),
      scanCard,
      staysAdmitted,
      config,
    });
    const files = new Set(
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/")),
    );
    const stopping = new AbortController();
    let keeping: Promise<void> | undefined;
    // Not before the server listens, because reading all of them would delay its start.
    app.addHook("onListen", async () => {
      keeping = keepWebFiles(db, folder, files, stopping.signal).catch((error) => app.log.error(error));
    });
    app.addHook("onClose", async () => {
      stopping.abort();
      await keeping;
    });
    pageRoutes(app).get("/*", { schema: { querystring: PageQuery } }, async (request, reply) => {
      const path = pathOf(request.url);
      // A missing file must be a 404, never the page under a file's name.
      if (!/\.([a-z0-9]{2,5}|webmanifest)$/i.test(path)) return page(request, reply);
      const file = path.slice(1);
      const old = files.has(file) ? undefined : await findOldWebFile(db, file);
      if (!old && !files.has(file)) return reply.callNotFound();
      if (!path.startsWith("/assets/")) return reply.header("cache-control", "no-cache").sendFile(path);
      // Built files have a hash in their name and are cached; the page that names them is always revalidated.
      for (const name of OF_PAGES) {
        reply.removeHeader(name);
        reply.raw.removeHeader(name);
      }
      reply.header("cache-control", "public, max-age=31536000, immutable");
      return old ? sendOldWebFile(old, request, reply) : reply.sendFile(path);
    });
  };
