import { mail } from "./gateways/mail.ts";
import { sms } from "./gateways/sms.ts";
import type { Gateways } from "./jobs/outbox-delivery.ts";
import type { Settings } from "./settings.ts";

/** The gateways that the settings name. */
export function openGateways(settings: Settings): Gateways {
  const { SMTP_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = settings;
  return {
    mail: SMTP_URL ? mail({ url: SMTP_URL, from: settings.MAIL_FROM, replyTo: settings.MAIL_INFO }) : undefined,
    sms:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_FROM
        ? sms({
            accountSid: TWILIO_ACCOUNT_SID,
            authToken: TWILIO_AUTH_TOKEN,
            from: TWILIO_FROM,
            baseUrl: settings.TWILIO_BASE_URL,
          })
        : undefined,
  };
}
