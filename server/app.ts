import compress from "@fastify/compress";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync, type RouteOptions } from "fastify";
import { Refusal } from "../shared/refusal.ts";
import { contentSecurity } from "./content-security.ts";
import type { Database } from "./database/database.ts";
import { affiliateClick } from "./functions/affiliate-click.ts";
import { cardFunctions } from "./functions/cards.ts";
import { createCheckout } from "./functions/create-checkout.ts";
import { createCheckoutSession } from "./functions/create-checkout-session.ts";
import { deleteMyAccount } from "./functions/delete-account.ts";
import { download } from "./functions/download.ts";
import { openGuests } from "./functions/guests.ts";
import { mountFunctions } from "./functions/mount.ts";
import { myData } from "./functions/my-data.ts";
import { openShare } from "./functions/open-share.ts";
import { orderReceipt } from "./functions/order-receipt.ts";
import { paymentWebhook } from "./functions/payment-webhook.ts";
import { pinHash } from "./functions/pin-hash.ts";
import { prepareDownload } from "./functions/prepare-download.ts";
import { report } from "./functions/report.ts";
import { sendEmail } from "./functions/send-email.ts";
import { sharePin } from "./functions/share-pin.ts";
import { shareTries } from "./functions/share-tries.ts";
import { signGuest } from "./functions/sign-guest.ts";
import { stopNotices, stopNoticesPage } from "./functions/stop-notices.ts";
import { unsubscribe, unsubscribePage } from "./functions/unsubscribe.ts";
import { verifyTurnstile } from "./functions/verify-turnstile.ts";
import { cleanHtml } from "./html.ts";
import { messages } from "./messages.ts";
import { openBotCheck, openPaymentGateway } from "./open-gateways.ts";
import { providersOf } from "./provider-settings.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { stoppingNotices } from "./stopping-notices.ts";
import { openAuth } from "./supabase/auth/context.ts";
import { auth } from "./supabase/auth/plugin.ts";
import { identifyBy } from "./supabase/callers.ts";
import { crossOrigin } from "./supabase/cors.ts";
import { realtime } from "./supabase/realtime/plugin.ts";
import { rest } from "./supabase/rest/plugin.ts";
import type { Files } from "./supabase/storage/files.ts";
import { storage } from "./supabase/storage/plugin.ts";
import { openTokens } from "./supabase/tokens.ts";
import { unsubscribing } from "./unsubscribing.ts";
import { voucherGuesses } from "./voucher-guesses.ts";
import { webApp } from "./web-app.ts";
import { isPublicPage, pathOf } from "./web-page.ts";

export interface AppDeps {
  db: Database;
  settings: Settings;
  secrets: Secrets;
  /** Where stored bytes lie; the jobs work on them too. */
  files: Files;
  /** The built web app; absent while a development server serves it. */
  webFolder?: string;
  /** Pages of what stands in for third parties outside production, by the name under /sandbox. */
  sandboxes?: Record<string, FastifyPluginAsync>;
  /** Hears of every route as it is added. */
  onRoute?: (route: RouteOptions) => void;
}

/** The table of contents: every base path and what answers on it. */
export async function createApp({
  db,
  settings,
  secrets,
  files,
  webFolder,
  sandboxes = {},
  onRoute,
}: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      level: settings.LOG_LEVEL,
      // Tokens travel in the URLs of signed media: a log must not open what they open.
      // Database drivers hang the statement's values on their errors: of those, only the words and the place are kept.
      serializers: {
        req: (request) => ({ method: request.method, url: request.url.split("?")[0] }),
        err: ({ name, message, stack, code }) => ({ type: name, message, stack: stack ?? "", code }),
      },
    },
    trustProxy: settings.TRUST_PROXY ?? false,
    forceCloseConnections: true,
    bodyLimit: 1024 * 1024,
  });
  if (onRoute) app.addHook("onRoute", onRoute);
  // Before what it is for: whatever is registered earlier goes on with the framework's own, which quotes bugs.
  app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send({ message: error.message });
    // Vendor errors carry status codes too, so only ours and the framework's may speak.
    if (error.code?.startsWith("FST_ERR_")) return reply.code(error.statusCode ?? 500).send({ message: error.message });
    request.log.error(error);
    return reply.code(500).send({ message: "Internal error" });
  });

  const tokens = await openTokens(db, { secret: secrets.sealing, issuer: `${settings.publicUrl}/auth/v1` });
  const identify = identifyBy(tokens, { publishable: secrets.publishableKey, secret: secrets.secretKey });

  await app.register(helmet, { contentSecurityPolicy: contentSecurity(webFolder, [settings.TURNSTILE_SCRIPT_URL]) });
  app.addHook("onRequest", async (request, reply) => {
    if (!isPublicPage(pathOf(request.url))) reply.header("x-robots-tag", "noindex");
  });
  await app.register(compress, { global: false });
  await app.register(cors, crossOrigin);

  const botCheck = openBotCheck(settings);
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
    refreshSecret: secrets.refreshTokens,
    codeSecret: secrets.codes,
    sealSecret: secrets.factors,
    captcha: botCheck && { check: botCheck, required: settings.botCheckRequired },
    confirmAddresses: settings.confirmEmail,
    messageInterval: settings.AUTH_MAIL_INTERVAL,
    triesPerAddress: settings.SIGN_IN_LIMIT,
  });

  const pins = pinHash(secrets.pins);
  const payments = openPaymentGateway(settings);
  const till = payments && { db, payments, site: settings.publicUrl, auth: accounts, origins };
  const letters = { db, secret: secrets.unsubscribing, publicUrl: settings.publicUrl };
  const guests = openGuests(db, secrets.guests);
  const functions = {
    "open-share": openShare({ db, tokens, identify, pins, tries: shareTries(db, secrets.pins), guests }),
    "sign-guest": signGuest({ db, tokens, identify, guests, limits: accounts.limits, site: settings.publicUrl }),
    "share-pin": sharePin({ db, identify, pins }),
    ...cardFunctions(accounts, {
      db,
      identify,
      pins,
      tries: shareTries(db, secrets.pins),
      publicUrl: settings.publicUrl,
    }),
    "affiliate-click": affiliateClick({ db, identify, limits: accounts.limits }),
    "delete-account": deleteMyAccount(accounts),
    "my-data": myData(accounts),
    "order-receipt": orderReceipt({ db, identify }),
    "prepare-download": prepareDownload({ db, files, identify, secret: secrets.downloads }),
    "send-email": sendEmail(accounts, {
      info: settings.MAIL_INFO,
      copyTo: settings.MAIL_WELCOME_BCC,
      allowance: settings.SEND_EMAIL_LIMIT,
      site: settings.publicUrl,
    }),
    report: report({ db, identify, limits: accounts.limits, info: settings.MAIL_INFO, site: settings.publicUrl }),
    unsubscribe: unsubscribe(unsubscribing(letters)),
    "stop-notices": stopNotices(stoppingNotices(letters)),
    ...(till && {
      "create-checkout": createCheckout(till),
      "create-checkout-session": createCheckoutSession(till),
      "payment-webhook": paymentWebhook(till),
    }),
    ...(botCheck && { "verify-turnstile": verifyTurnstile({ botCheck, limits: accounts.limits }) }),
  };

  await app.register(auth(accounts), { prefix: "/auth/v1" });
  const guessing = { limits: accounts.limits, functions: { apply_voucher: voucherGuesses } };
  await app.register(rest({ db, identify, cleaners: { html: cleanHtml }, guessing }), { prefix: "/rest/v1" });
  await app.register(storage({ db, identify, files, urlSecret: secrets.urls }), { prefix: "/storage/v1" });
  await app.register(realtime({ db, identify }), { prefix: "/realtime/v1" });
  const fileFunctions = {
    download: download({ db, files }),
    unsubscribe: unsubscribePage(settings.publicUrl),
    "stop-notices": stopNoticesPage(settings.publicUrl),
  };
  await app.register(mountFunctions(functions, fileFunctions), { prefix: "/functions/v1" });
  await app.register(mountFunctions(functions, fileFunctions), { prefix: "/.netlify/functions" });
  for (const [name, page] of Object.entries(sandboxes)) await app.register(page, { prefix: `/sandbox/${name}` });
  await app.register(webApp({ settings, publishableKey: secrets.publishableKey, folder: webFolder }));
  return app;
}
