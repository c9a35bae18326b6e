import { afterAll } from "vitest";
import { type Inbox, openInbox } from "../../sandboxes/inbox/inbox.ts";
import { mail } from "../../server/gateways/mail.ts";
import { sms } from "../../server/gateways/sms.ts";

/** Starts the sandbox inbox on free ports, with gateways to it; closed after the file. */
export async function testInbox(): Promise<
  Inbox & { gateways: { mail: ReturnType<typeof mail>; sms: ReturnType<typeof sms> } }
> {
  const inbox = await openInbox();
  afterAll(() => inbox.close());
  return {
    ...inbox,
    gateways: {
      mail: mail({
        url: inbox.smtpUrl,
        from: { name: "Skies", address: "hello@skies.example" },
        replyTo: "info@skies.example",
      }),
      sms: sms({
        accountSid: "AC00000000000000000000000000000000",
        authToken: "sandbox",
        from: "+15005550006",
        baseUrl: inbox.twilioUrl,
      }),
    },
  };
}
