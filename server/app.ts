import { randomUUID } from "node:crypto";
import { join } from "node:path";
import compress from "@fastify/compress";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync, type RouteOptions } from "fastify";
import { errorBody, RequestError, RetryLaterError } from "../shared/request-error.ts";
import { calendarSubscriptions } from "./calendar/subscriptions.ts";
import type { Database } from "./database/database.ts";
import { openExchange } from "./database/exchange.ts";
import { fairQueue } from "./database/fair-queue.ts";
import { shareFairly } from "./database/share-fairly.ts";
import { memoryPictures } from "./emails/memory-picture.ts";
import type { Files } from "./files/files.ts";
import { affiliateClick } from "./functions/affiliate-click.ts";
import { calendar, calendarLink } from "./functions/calendar.ts";
import { cardFunctions } from "./functions/cards.ts";
import { createCheckout } from "./functions/create-checkout.ts";
import { createCheckoutSession } from "./functions/create-checkout-session.ts";
import { declineInvitation } from "./functions/decline-invitation.ts";
import { deleteMyAccount } from "./functions/delete-account.ts";
import { deskAccount } from "./functions/desk-account.ts";
import { deskSystem } from "./functions/desk-system.ts";
import { download } from "./functions/download.ts";
import { openFirstScreen } from "./functions/first-screen.ts";
import { forgetDevice } from "./functions/forget-device.ts";
import { openGuests } from "./functions/guests.ts";
import { invitationAgain } from "./functions/invitation-again.ts";
import { openLinkDevices, staysAdmitted } from "./functions/link-devices.ts";
import { mountFunctions } from "./functions/mount.ts";
import { myData } from "./functions/my-data.ts";
import { scanCard } from "./functions/open-card.ts";
import { openShare } from "./functions/open-share.ts";
import { openWall } from "./functions/open-wall.ts";
import { orderReceipt } from "./functions/order-receipt.ts";
import { paymentWebhook } from "./functions/payment-webhook.ts";
import { pinHash } from "./functions/pin-hash.ts";
import { prepareDownload } from "./functions/prepare-download.ts";
import { readSharePin } from "./functions/read-share-pin.ts";
import { refundOrder } from "./functions/refund-order.ts";
import { report } from "./functions/report.ts";
import { resendReceipt } from "./functions/resend-receipt.ts";
import { sendEmail } from "./functions/send-email.ts";
import { attemptLimiter } from "./functions/share-attempts.ts";
import { sharePin } from "./functions/share-pin.ts";
import { signGuest } from "./functions/sign-guest.ts";
import { stopNotices, stopNoticesPage } from "./functions/stop-notices.ts";
import { unsubscribe, unsubscribePage } from "./functions/unsubscribe.ts";
import { verifyTurnstile } from "./functions/verify-turnstile.ts";
import { openHtmlCleaner } from "./html/html-cleaner.ts";
import type { Metrics } from "./http/metrics.ts";
import { type LogStream, requestIdOf, requestLog } from "./http/request-log.ts";
import { PERMISSIONS_POLICY, securityHeaders } from "./http/security-headers.ts";
import type { Traces } from "./http/traces.ts";
import { noticeUntrustedProxies } from "./http/untrusted-proxy.ts";
import type { JobState } from "./jobs/worker.ts";
import type { RefusalCount } from "./limits/count-refusals.ts";
import { requestLimits } from "./limits/request-limits.ts";
import { messages } from "./messages.ts";
import { openBotCheck, openPaymentGateway } from "./open-gateways.ts";
import { isWrongVoucher, voucherAttempts } from "./orders/checkout.ts";
import { openLinkPreviews } from "./pages/link-previews.ts";
import { webApp } from "./pages/web-app.ts";
import { isPublicPage, pathOf } from "./pages/web-page.ts";
import { openRenderThread } from "./rendering/render-thread.ts";
import { collectorsOf } from "./settings/collector-settings.ts";
import { providersOf } from "./settings/provider-settings.ts";
import type { Secrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";
import { openAuth } from "./supabase/auth/context.ts";
import { auth } from "./supabase/auth/plugin.ts";
import { BODY_BYTES, OutOfBoundsError } from "./supabase/bounds.ts";
import { identifyBy } from "./supabase/callers.ts";
import { crossOrigin } from "./supabase/cors.ts";
import { openSessions } from "./supabase/open-sessions.ts";
import { realtime } from "./supabase/realtime/plugin.ts";
import { boundedServer, boundRequests, readBoundedJson } from "./supabase/request-bounds.ts";
import { openCatalogue } from "./supabase/rest/catalogue.ts";
import { rest } from "./supabase/rest/plugin.ts";
import { sendFailure, serviceFailure } from "./supabase/service-failure.ts";
import { storage } from "./supabase/storage/plugin.ts";
import { openStreamGuard } from "./supabase/stream-guard.ts";
import { openTokens } from "./supabase/tokens.ts";
import { stoppingNotices, unsubscribing } from "./unsubscribing/unsubscribing.ts";

export interface AppDeps {
  db: Database;
  settings: Settings;
  secrets: Secrets;
  /** Stored bytes, which the jobs use too. */
  files: Files;
  /** The folder of the built web app; absent in development, when Vite serves it. */
  webFolder?: string | undefined;
  /** Pages of the sandboxes, by their name under /sandbox. */
  sandboxes?: Record<string, FastifyPluginAsync>;
  /** Where the log goes; standard output without it. */
  logStream?: LogStream | undefined;
  /** The product's version. */
  version?: string | undefined;
  refusals?: RefusalCount | undefined;
  jobStates?: () => JobState[];
  /** Absent unless metrics are enabled. */
  metrics?: Metrics | undefined;
  /** Absent without a trace collector. */
  traces?: Traces | undefined;
  /** Called with each route. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
  /** Aborted when open sockets should reconnect, to another process. */
  leaving?: AbortSignal | undefined;
}

/** Connections that requests may use at once. The pool has ten; two are left to background jobs. */
const REQUEST_CONNECTIONS = 8;

/** The functions that count by network address, and the one that uses a cookie. */
const COUNTED = new Set([
  "affiliate-click",
  "claim-card",
  "create-checkout",
  "create-checkout-session",
  "decline-invitation",
  "forget-device",
  "invitation-again",
  "open-card",
  "open-share",
  "open-wall",
  "report",
  "send-email",
  "sign-guest",
  "verify-turnstile",
]);

/** The table of contents: every base path and its handler. */
export async function createApp({
  db: database,
  settings,
  secrets,
  files,
  webFolder,
  sandboxes = {},
  logStream,
  onRoute,
  metrics,
  traces,
  version = "",
  refusals,
  leaving,
  jobStates = () => [],
}: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    logger: requestLog(settings.LOG_LEVEL, logStream, traces?.logFields),
    trustProxy: settings.TRUST_PROXY ?? false,
    // Connections with a running request get more time, see below.
    forceCloseConnections: "idle",
    // Only a trusted proxy may set a request's id.
    genReqId: ({ headers }) => (settings.TRUST_PROXY && requestIdOf(headers["x-request-id"])) || randomUUID(),
    bodyLimit: BODY_BYTES,
    ...boundedServer,
  });
  app.addHook("preClose", (done) => {
    endConnectionsAfter(app.server, settings.STOP_SECONDS * 1000);
    done();
  });
  if (onRoute) app.addHook("onRoute", onRoute);
  metrics?.watchRequests(app);
  traces?.watchRequests(app);
  // Set first: plugins registered earlier would keep the framework's handler, which reports the messages of bugs.
  app.setErrorHandler<FastifyError | RequestError>((error, request, reply) => {
    if (error instanceof RetryLaterError) reply.header("retry-after", error.retryAfter);
    if (error instanceof RequestError) return reply.code(error.status).send(errorBody(error.code, error.message));
    if (error instanceof OutOfBoundsError) return reply.code(error.status).send(errorBody("malformed", error.message));
    // Errors of other libraries carry status codes too; only ours and the framework's are meant for clients.
    if (error.code?.startsWith("FST_ERR_"))
      return reply.code(error.statusCode ?? 500).send(errorBody("malformed", error.message));
    request.log.error(error);
    const failure = serviceFailure(error);
    if (failure) return sendFailure(reply, failure);
    return reply.code(500).send({ message: "Internal error" });
  });

  // The framework's own answer and log line contain the URL.
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(errorBody("not_found", "There is nothing at this path.")),
  );

  const limits = requestLimits(settings.REQUEST_BUDGET);
  const queue = fairQueue({
    width: REQUEST_CONNECTIONS,
    maxWaitMs: 10_000,
    maxWaitingPerAddress: 1000,
  });
  metrics?.watchQueue(queue);
  const db = shareFairly(database, queue, limits.currentOwner);

  // These read the database while the framework starts.
  const opening = Promise.all([
    openTokens(db, { secret: secrets.sealing, issuer: `${settings.publicUrl}/auth/v1` }),
    openSessions(database),
    openCatalogue(db),
    openExchange(database, (error) => app.log.error(error)),
  ]);
  // Awaited below, unless an earlier step fails.
  opening.catch(() => {});

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

  const [tokens, sessions, catalogue, exchange] = await opening;
  limits.shareCosts(exchange);
  app.addHook("onClose", async () => {
    await Promise.all([sessions.close(), catalogue.close(), exchange.close()]);
  });
  const keys = {
    publishable: secrets.publishableKey,
    formerPublishable: secrets.formerPublishableKeys,
    secret: secrets.secretKey,
  };
  const identify = limits.limitCallers(identifyBy(tokens, keys, sessions));

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

  const { isForeign } = accounts;
  const pins = pinHash(secrets.pins);
  const tries = attemptLimiter(db, secrets.pins[0]);
  const cardTries = attemptLimiter(db, secrets.pins[0], "card");
  const activationTries = attemptLimiter(db, secrets.pins[0], "activation code");
  const payments = openPaymentGateway(settings, traces?.watchCalls);
  const vouchers = voucherAttempts(accounts.limits);
  const checkoutDeps = payments && { db, payments, site: settings.publicUrl, auth: accounts, origins, vouchers };
  const emailLinks = { db, secrets: secrets.unsubscribing, publicUrl: settings.publicUrl };
  const guests = openGuests(db, secrets.guests);
  const devices = openLinkDevices(db, secrets.guests);
  const subscriptions = calendarSubscriptions({ db, secret: secrets.calendars });
  const renderer = openRenderThread();
  app.addHook("onClose", () => renderer.close());
  const firstScreen = openFirstScreen({
    renderer,
    app,
    db,
    publishableKey: secrets.publishableKey,
    file: webFolder && join(webFolder, "../first-screen.cjs"),
  });
  const functions = {
    "open-share": openShare({
      db,
      tokens,
      identify,
      pins,
      tries,
      guests,
      devices,
      firstScreen,
      site: settings.PUBLIC_URL,
    }),
    "open-wall": openWall({ db, tokens }),
    "decline-invitation": declineInvitation({ db }),
    "invitation-again": invitationAgain({ db, limits: accounts.limits, site: settings.publicUrl }),
    "forget-device": forgetDevice({ devices, identify, site: settings.PUBLIC_URL }),
    "sign-guest": signGuest({
      db,
      tokens,
      identify,
      guests,
      devices,
      limits: accounts.limits,
      site: settings.publicUrl,
    }),
    "share-pin": sharePin({ db, identify, pins, sealing: secrets.readablePins }),
    "read-share-pin": readSharePin({ db, identify, sealing: secrets.readablePins }),
    ...cardFunctions(accounts, { db, identify, pins, cardTries, activationTries, publicUrl: settings.publicUrl }),
    "affiliate-click": affiliateClick({ db, identify, limits: accounts.limits }),
    "delete-account": deleteMyAccount(accounts),
    "desk-account": deskAccount(accounts, { site: settings.publicUrl }),
    "desk-system": deskSystem({ db, identify, settings, version }),
    "my-data": myData(accounts),
    "calendar-link": calendarLink({ identify, subscriptions }),
    "order-receipt": orderReceipt({ db, identify }),
    "resend-receipt": resendReceipt({ db, identify, site: settings.publicUrl }),
    "prepare-download": prepareDownload({ db, files, identify, secret: secrets.downloads }),
    "send-email": sendEmail(accounts, {
      info: settings.MAIL_INFO,
      copyTo: settings.MAIL_WELCOME_BCC,
      allowance: settings.SEND_EMAIL_LIMIT,
      site: settings.publicUrl,
    }),
    report: report({ db, identify, limits: accounts.limits, info: settings.MAIL_INFO, site: settings.publicUrl }),
    unsubscribe: unsubscribe(unsubscribing(emailLinks)),
    "stop-notices": stopNotices(stoppingNotices(emailLinks)),
    ...(checkoutDeps && {
      "create-checkout": createCheckout(checkoutDeps),
      "create-checkout-session": createCheckoutSession(checkoutDeps),
      "payment-webhook": paymentWebhook(checkoutDeps),
      "refund-order": refundOrder({ ...checkoutDeps, identify }),
    }),
    ...(botCheck && { "verify-turnstile": verifyTurnstile({ botCheck, limits: accounts.limits }) }),
  };

  await app.register(auth(accounts), { prefix: "/auth/v1" });
  const html = openHtmlCleaner();
  app.addHook("onClose", () => html.close());
  const guessable = { apply_voucher: { attempts: vouchers, isWrong: isWrongVoucher } };
  await app.register(rest({ db, catalogue, identify, cleaners: { html }, guessable, isForeign }), {
    prefix: "/rest/v1",
  });
  const streams = openStreamGuard(db);
  app.addHook("onClose", async () => streams.close());
  await app.register(storage({ db, identify, files, streams, sessions, urlSecret: secrets.urls }), {
    prefix: "/storage/v1",
  });
  await app.register(realtime({ db, identify, exchange, watchSockets: metrics?.watchSockets, leaving }), {
    prefix: "/realtime/v1",
  });
  const fileFunctions = {
    calendar: calendar({ subscriptions, site: settings.publicUrl }),
    download: download({ db, files, sessions }),
    unsubscribe: unsubscribePage(settings.publicUrl),
    "stop-notices": stopNoticesPage(settings.publicUrl),
  };
  const mounting = { streams, counted: COUNTED, isForeign };
  await app.register(mountFunctions(functions, fileFunctions, mounting), { prefix: "/functions/v1" });
  await app.register(mountFunctions(functions, fileFunctions, mounting), { prefix: "/.netlify/functions" });
  for (const [name, page] of Object.entries(sandboxes)) await app.register(page, { prefix: `/sandbox/${name}` });
  await app.register(
    webApp({
      db,
      settings,
      jobStates,
      renderer,
      publishableKey: secrets.publishableKey,
      previews: openLinkPreviews({ db, pictures: memoryPictures({ db, files }) }),
      scanCard: scanCard({ db, cardTries }),
      staysAdmitted: staysAdmitted(db, devices),
      folder: webFolder,
    }),
  );
  return app;
}

/** How often a closing server checks for open connections, in milliseconds. */
const LOOK_MS = 50;

/** Closes the remaining connections after `ms`; otherwise the server would wait for its slowest client. */
function endConnectionsAfter(server: FastifyInstance["server"], ms: number) {
  let timer = setTimeout(function end() {
    server.closeAllConnections();
    timer = setTimeout(end, LOOK_MS);
  }, ms);
  server.once("close", () => clearTimeout(timer));
}
