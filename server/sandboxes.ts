import type { FastifyPluginAsync } from "fastify";
import type { Settings } from "./settings.ts";

export interface Sandboxed {
  /** The settings given, and the sandboxes' own where they name no third party. */
  settings: Settings;
  /** Their pages, by the name under /sandbox. */
  pages: Record<string, FastifyPluginAsync>;
  close(): Promise<void>;
}

/** One sandbox that is open: the settings that lead to it, and its pages. */
interface Opened extends Pick<Sandboxed, "pages" | "close"> {
  settings: Partial<Settings>;
}

/** Puts sandboxes in the place of third parties that the settings do not name. In production there is no such place. */
export async function withSandboxes(settings: Settings): Promise<Sandboxed> {
  if (settings.NODE_ENV === "production") return { settings, pages: {}, close: async () => {} };
  const opened = await Promise.all([
    ...(settings.SMTP_URL && settings.TWILIO_ACCOUNT_SID ? [] : [inboxFor(settings)]),
    ...(settings.TURNSTILE_SECRET_KEY ? [] : [botCheck()]),
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
    // The one number from which the vendor's own test accounts may send.
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
