import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { calendarSubscriptions } from "./calendar/subscriptions.ts";
import type { Database } from "./database/database.ts";
import { openExchange } from "./database/exchange.ts";
import { fairQueue } from "./database/fair-queue.ts";
import { shareFairly } from "./database/share-fairly.ts";
import { memoryPictures } from "./emails/memory-picture.ts";
import type { Files } from "./files/files.ts";
import { openHtmlCleaner } from "./html/html-cleaner.ts";
import type { Metrics } from "./http/metrics.ts";
import type { Traces } from "./http/traces.ts";
import type { JobDeps } from "./jobs/jobs.ts";
import { writeNotices } from "./jobs/notices/notice-emails.ts";
import { openPushKey } from "./jobs/notices/push-key.ts";
import { openPushes } from "./jobs/notices/push-messages.ts";
import type { RequestLimits } from "./limits/request-limits.ts";
import { messages } from "./messages.ts";
import { openBotCheck, openGateways, openPaymentGateway } from "./open-gateways.ts";
import { voucherAttempts } from "./orders/checkout.ts";
import { openRenderThread } from "./rendering/render-thread.ts";
import { providersOf } from "./settings/provider-settings.ts";
import type { Secrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";
import { openFirstScreen } from "./sharing/first-screen.ts";
import { openGuests } from "./sharing/guests.ts";
import { openLinkDevices } from "./sharing/link-devices.ts";
import { pinHash } from "./sharing/pin-hash.ts";
import { attemptLimiter } from "./sharing/share-attempts.ts";
import { openAuth } from "./supabase/auth/context.ts";
import { identifyBy } from "./supabase/callers.ts";
import { openSessions } from "./supabase/open-sessions.ts";
import { openCatalogue } from "./supabase/rest/catalogue.ts";
import { openStreamGuard } from "./supabase/stream-guard.ts";
import { openTokens } from "./supabase/tokens.ts";
import { stoppingNotices, unsubscribing } from "./unsubscribing/unsubscribing.ts";

/** What a server is made of before its services. */
export interface Foundation {
  db: Database;
  settings: Settings;
  secrets: Secrets;
  /** Stored bytes, which the jobs use too. */
  files: Files;
  /** The folder of the built web app; absent in development, when Vite serves it. */
  webFolder?: string | undefined;
  /** The product's version. */
  version?: string | undefined;
  /** Absent unless metrics are enabled. */
  metrics?: Metrics | undefined;
  /** Absent without a trace collector. */
  traces?: Traces | undefined;
}

/** Everything that endpoints and pages use. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/** Connections that requests may use at once. The pool has ten; two are left to background jobs. */
const REQUEST_CONNECTIONS = 8;
/**
 * How long a request waits for a connection. Long, because on a slow machine ordinary requests wait, and a refused one
 * comes again. The number of those that wait is limited, too.
 */
const MOST_WAIT_MS = 30_000;

/** The composition root: opens the services of requests, each once. `app` receives the requests of first screens. */
export async function openServices(
  { db: database, settings, secrets, files, webFolder, version = "", metrics, traces }: Foundation,
  { app, costs }: { app: FastifyInstance; costs: RequestLimits },
) {
  const queue = fairQueue({ width: REQUEST_CONNECTIONS, maxWaitMs: MOST_WAIT_MS, maxWaitingPerAddress: 1000 });
  metrics?.watchQueue(queue);
  const db = shareFairly(database, queue, costs.currentOwner);
  const [tokens, sessions, catalogue, exchange, pushKey] = await Promise.all([
    openTokens(db, { secret: secrets.sealing, issuer: `${settings.publicUrl}/auth/v1` }),
    openSessions(database),
    openCatalogue(db),
    openExchange(database, (error) => app.log.error(error)),
    openPushKey(database, secrets.sealing),
  ]);
  costs.shareCosts(exchange);
  const keys = {
    publishable: secrets.publishableKey,
    formerPublishable: secrets.formerPublishableKeys,
    secret: secrets.secretKey,
  };
  const identify = costs.limitCallers(identifyBy(tokens, keys, sessions));
  const botCheck = openBotCheck(settings, traces?.watchCalls);
  const origins = {
    siteUrl: settings.publicUrl,
    redirectUrls: settings.AUTH_REDIRECT_URLS,
    loopback: settings.PUBLIC_URL === undefined,
  };
  const accounts = openAuth({
    db,
    tokens,
    identify,
    messages: messages({ publicUrl: settings.publicUrl, welcomeCopyTo: settings.MAIL_WELCOME_BCC }),
    redirects: origins,
    callbackUrl: `${settings.publicUrl}/auth/callback`,
    providers: providersOf(settings),
    url: `${settings.publicUrl}/auth/v1`,
    linkPage: "/auth/link",
    refreshSecret: secrets.refreshTokens,
    codeSecret: secrets.codes,
    sealSecret: secrets.factors,
    captcha: botCheck && { check: botCheck, required: settings.botCheckRequired },
    confirmAddresses: settings.confirmEmail,
    messageInterval: settings.AUTH_MAIL_INTERVAL,
    triesPerAddress: settings.SIGN_IN_LIMIT,
    passwordHashMiB: settings.PASSWORD_HASH_MIB,
  });
  const { limits, isForeign } = accounts;
  const renderer = openRenderThread();
  const html = openHtmlCleaner();
  const streams = openStreamGuard(db);

  return {
    /** Requests take turns on it. */
    db,
    settings,
    secrets,
    files,
    version,
    startedAt: new Date(),
    /** The site's URL. */
    site: settings.publicUrl,
    ...linksOfEmails({ db, files, settings, secrets }),
    tokens,
    sessions,
    catalogue,
    exchange,
    identify,
    pushKey,
    accounts,
    limits,
    isForeign,
    origins,
    html,
    streams,
    renderer,
    /** Absent if not configured. */
    botCheck,
    /** Absent if not configured. */
    payments: openPaymentGateway(settings, traces?.watchCalls),
    vouchers: voucherAttempts(limits),
    pins: pinHash(secrets.pins),
    shareAttempts: attemptLimiter(db, secrets.pins[0]),
    cardAttempts: attemptLimiter(db, secrets.pins[0], "card"),
    activationAttempts: attemptLimiter(db, secrets.pins[0], "activation code"),
    guests: openGuests(db, secrets.guests),
    devices: openLinkDevices(db, secrets.guests),
    calendars: calendarSubscriptions({ db, secret: secrets.calendars }),
    firstScreen: openFirstScreen({
      renderer,
      app,
      db,
      publishableKey: secrets.publishableKey,
      file: webFolder && join(webFolder, "../first-screen.cjs"),
    }),
    async close() {
      streams.close();
      await html.close();
      await renderer.close();
      await Promise.all([sessions.close(), catalogue.close(), exchange.close()]);
    },
  };
}

/** The services of jobs: the same gateways and links. Their statements take no turns with those of requests. */
export const servicesOfJobs = (
  { db, settings, secrets, files, traces }: Foundation,
  { payments, pushKey }: Services,
): Omit<JobDeps, "ffmpeg" | "log"> => {
  const {
    unsubscribing: wishes,
    stoppingNotices: stopping,
    pictures,
  } = linksOfEmails({ db, settings, secrets, files });
  const { BACKUP_TO: backupTo, DATA_DIR: dataDir, publicUrl } = settings;
  return {
    db,
    files,
    gateways: openGateways(settings, pushKey, traces?.watchCalls),
    site: publicUrl,
    payments,
    wishes,
    pictures,
    pushes: openPushes({ db }),
    notices: writeNotices({ db, publicUrl, stopping, pictures }),
    sealingSecret: secrets.sealing,
    backup: backupTo
      ? {
          to: backupTo,
          service: settings.backupS3,
          passphrase: settings.BACKUP_PASSPHRASE,
          everyHours: settings.BACKUP_EVERY_HOURS,
          keepDays: settings.BACKUP_KEEP_DAYS,
          storageFolder: join(dataDir, "storage"),
          s3: settings.s3,
          rootKey: { secretKey: settings.SECRET_KEY, dataDir },
        }
      : undefined,
    readBack: settings.readBack,
  };
};

/** What emails lead to: links that end them, and pictures of memories. */
function linksOfEmails({ db, settings, secrets, files }: Pick<Foundation, "db" | "settings" | "secrets" | "files">) {
  const deps = { db, secrets: secrets.unsubscribing, publicUrl: settings.publicUrl };
  return {
    unsubscribing: unsubscribing(deps),
    stoppingNotices: stoppingNotices(deps),
    pictures: memoryPictures({ db, files }),
  };
}
