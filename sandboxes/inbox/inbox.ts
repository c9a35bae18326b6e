import type { FastifyPluginAsync } from "fastify";
import { gate } from "./gate.ts";
import { type Message, messages } from "./messages.ts";
import { routes } from "./routes.ts";
import { openSmtp } from "./smtp.ts";
import { openTwilio } from "./twilio.ts";

/** Stands in for everybody's mailbox and telephone: keeps what it is sent, and shows it. */
export interface Inbox {
  /** smtp://127.0.0.1:… */
  smtpUrl: string;
  /** http://127.0.0.1:…, in place of https://api.twilio.com. */
  twilioUrl: string;
  /** The page and its JSON, to be mounted at /sandbox/inbox. */
  routes: FastifyPluginAsync;
  /** What came, newest first; only what was delivered to `to`, where given. */
  received(to?: string): Message[];
  /** Answers the senders to `slow@…` who wait for it now. */
  release(): void;
  close(): Promise<void>;
}

export async function openInbox(): Promise<Inbox> {
  const kept = messages();
  const slow = gate();
  const [smtp, twilio] = await Promise.all([openSmtp(kept, slow), openTwilio(kept)]);
  return {
    smtpUrl: smtp.url,
    twilioUrl: twilio.url,
    routes: routes(kept, slow),
    received: kept.list,
    release: slow.open,
    async close() {
      slow.open();
      await Promise.all([smtp.close(), twilio.close()]);
    },
  };
}
