import type { FastifyPluginAsync } from "fastify";
import type { Settings } from "./settings/settings.ts";

export interface Sandboxed {
  /** The given settings, completed with the sandboxes' settings for third parties that are not configured. */
  settings: Settings;
  /** The sandboxes' pages, by their name under /sandbox. */
  pages: Record<string, FastifyPluginAsync>;
  close(): Promise<void>;
}

/** An open sandbox: the settings that select it, and its pages. */
interface Opened extends Pick<Sandboxed, "pages" | "close"> {
  settings: Partial<Settings>;
}

/** Opens sandboxes for third parties that are not configured. In production, opens none. */
export async function withSandboxes(settings: Settings): Promise<Sandboxed> {
  if (settings.NODE_ENV === "production") return { settings, pages: {}, close: async () => {} };
  const opened = await Promise.all([
    ...(settings.SMTP_URL && settings.TWILIO_ACCOUNT_SID ? [] : [inboxFor(settings)]),
    ...(settings.TURNSTILE_SECRET_KEY ? [] : [botCheck()]),
    ...(canSignIn(settings) ? [identity(settings)] : []),
    ...(settings.STRIPE_SECRET_KEY ? [] : [payments(settings)]),
    analytics(settings),
  ]);
  return {
    settings: Object.assign({ ...settings }, ...opened.map((sandbox) => sandbox.settings)),
    pages: Object.assign({}, ...opened.map(({ pages }) => pages)),
    close: async () => {
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

async function inboxFor({ SMTP_URL, TWILIO_ACCOUNT_SID }: Settings): Promise<Opened> {
  const { openInbox } = await import("../sandboxes/inbox/inbox.ts");
  const inbox = await openInbox();
  const twilio = {
    TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000000",
    TWILIO_AUTH_TOKEN: "sandbox",
    // The only sender number that the vendor's test accounts may use.
    TWILIO_FROM: "+15005550006",
    TWILIO_BASE_URL: inbox.twilioUrl,
  };
  return {
    settings: { SMTP_URL: SMTP_URL ?? inbox.smtpUrl, ...(TWILIO_ACCOUNT_SID ? {} : twilio) },
    pages: { inbox: inbox.routes },
    close: inbox.close,
  };
}

async function botCheck(): Promise<Opened> {
  const { openTurnstile } = await import("../sandboxes/bot-check/turnstile.ts");
  const turnstile = await openTurnstile();
  return {
    settings: {
      TURNSTILE_SITE_KEY: turnstile.siteKey,
      TURNSTILE_SECRET_KEY: turnstile.secretKey,
      TURNSTILE_BASE_URL: turnstile.baseUrl,
      TURNSTILE_SCRIPT_URL: turnstile.scriptPath,
    },
    pages: { "bot-check": turnstile.routes },
    close: turnstile.close,
  };
}

async function payments({ publicUrl }: Settings): Promise<Opened> {
  const { openPayments } = await import("../sandboxes/payments/payments.ts");
  // While the server's port is unknown, the sandbox serves its pages on its own port.
  const hasPort = new URL(publicUrl).port !== "0";
  const sandbox = await openPayments(
    hasPort
      ? { pageUrl: `${publicUrl}/sandbox/payments`, webhookUrl: `${publicUrl}/functions/v1/payment-webhook` }
      : undefined,
  );
  return {
    settings: {
      STRIPE_SECRET_KEY: sandbox.secretKey,
      STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
      STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
      STRIPE_BASE_URL: sandbox.baseUrl,
    },
    pages: { payments: sandbox.routes },
    close: sandbox.close,
  };
}

async function analytics(settings: Settings): Promise<Opened> {
  const { openCollector } = await import("../sandboxes/analytics/collector.ts");
  const own = {
    ANALYTICS_GA4: { ANALYTICS_GA4_ID: "G-SANDBOX", ANALYTICS_GA4_URL: "/sandbox/analytics/g/collect" },
    ANALYTICS_PLAUSIBLE: {
      ANALYTICS_PLAUSIBLE_DOMAIN: "sandbox.example",
      ANALYTICS_PLAUSIBLE_URL: "/sandbox/analytics/api/event",
    },
    PIXEL_META: { PIXEL_META_ID: "1000000000000000", PIXEL_META_URL: "/sandbox/analytics/tr" },
    PIXEL_TIKTOK: { PIXEL_TIKTOK_ID: "SANDBOX", PIXEL_TIKTOK_URL: "/sandbox/analytics/api/v2/pixel" },
  };
  return {
    settings: {
      ...(settings.ANALYTICS_GA4_ID ? {} : own.ANALYTICS_GA4),
      ...(settings.ANALYTICS_PLAUSIBLE_DOMAIN ? {} : own.ANALYTICS_PLAUSIBLE),
      ...(settings.PIXEL_META_ID ? {} : own.PIXEL_META),
      ...(settings.PIXEL_TIKTOK_ID ? {} : own.PIXEL_TIKTOK),
    },
    pages: { analytics: openCollector() },
    close: async () => {},
  };
}

/** Whether browser and server can both reach the identity sandbox. Plain http is allowed only on this machine. */
function canSignIn({ publicUrl }: Settings): boolean {
  const { protocol, hostname, port } = new URL(publicUrl);
  return port !== "0" && (protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

async function identity(settings: Settings): Promise<Opened> {
  const { openIdentity } = await import("../sandboxes/identity/identity.ts");
  const { publicUrl } = settings;
  const sandbox = openIdentity({
    issuer: `${publicUrl}/sandbox/identity`,
    redirectUri: `${publicUrl}/auth/v1/callback`,
  });
  const { google, apple, facebook } = sandbox;
  const forGoogle = {
    GOOGLE_CLIENT_ID: [google.clientId],
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_ISSUER: sandbox.issuer,
  };
  const forApple = {
    APPLE_CLIENT_ID: [apple.clientId],
    APPLE_TEAM_ID: apple.teamId,
    APPLE_KEY_ID: apple.keyId,
    APPLE_PRIVATE_KEY: apple.privateKey,
    APPLE_ISSUER: sandbox.issuer,
  };
  const forFacebook = {
    FACEBOOK_CLIENT_ID: facebook.clientId,
    FACEBOOK_CLIENT_SECRET: facebook.clientSecret,
    FACEBOOK_DIALOG_URL: facebook.url,
    FACEBOOK_GRAPH_URL: facebook.url,
  };
  return {
    settings: {
      ...(settings.GOOGLE_CLIENT_ID ? {} : forGoogle),
      ...(settings.APPLE_CLIENT_ID ? {} : forApple),
      ...(settings.FACEBOOK_CLIENT_ID ? {} : forFacebook),
    },
    pages: { identity: sandbox.routes },
    close: async () => {},
  };
}
