import type { FastifyPluginAsync } from "fastify";
import type { Settings } from "./settings.ts";

export interface Sandboxed {
  /** The settings given, and the sandboxes' own where they name no third party. */
  settings: Settings;
  /** Their pages, by the name under /sandbox. */
  pages: Record<string, FastifyPluginAsync>;
  close(): Promise<void>;
}

/** Puts sandboxes in the place of third parties that the settings do not name. In production there is no such place. */
export async function withSandboxes(settings: Settings): Promise<Sandboxed> {
  const complete = settings.SMTP_URL && settings.TWILIO_ACCOUNT_SID;
  if (settings.NODE_ENV === "production" || complete) return { settings, pages: {}, close: async () => {} };
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
    settings: {
      ...settings,
      SMTP_URL: settings.SMTP_URL ?? inbox.smtpUrl,
      ...(settings.TWILIO_ACCOUNT_SID ? {} : twilio),
    },
    pages: { inbox: inbox.routes },
    close: inbox.close,
  };
}
