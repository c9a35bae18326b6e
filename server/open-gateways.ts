import { type BotCheck, botCheck } from "./gateways/bot-check.ts";
import { mail } from "./gateways/mail.ts";
import { type Payments, payments } from "./gateways/payments.ts";
import { type PushKey, push } from "./gateways/push.ts";
import { sms } from "./gateways/sms.ts";
import { unwatched } from "./http/watch-calls.ts";
import type { Gateways } from "./jobs/outbox-delivery.ts";
import type { Settings } from "./settings/settings.ts";

/** Opens the email and SMS gateways that are configured, and the one to devices, which needs no settings. */
export function openGateways(settings: Settings, key: PushKey, watch = unwatched): Gateways {
  const { SMTP_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = settings;
  const gateways: Gateways = {
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
    push: push({ key, contact: `mailto:${settings.MAIL_INFO}` }),
  };
  return watch("gateway", gateways, ["mail", "sms", "push"]);
}

/** Opens the bot check, if configured. */
export function openBotCheck(settings: Settings, watch = unwatched): BotCheck | undefined {
  const { TURNSTILE_SECRET_KEY: secret, TURNSTILE_BASE_URL: baseUrl } = settings;
  if (!secret && settings.botCheckRequired) throw new Error("AUTH_BOT_CHECK needs TURNSTILE_SECRET_KEY");
  return secret ? watch("gateway", { botCheck: botCheck({ baseUrl, secret }) }, ["botCheck"]).botCheck : undefined;
}

/** Opens the payment provider, if configured. */
export function openPaymentGateway(settings: Settings, watch = unwatched): Payments | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (!secretKey || !webhookSecret) return undefined;
  const gateway = payments({
    secretKey,
    webhookSecret,
    baseUrl: settings.STRIPE_BASE_URL,
    automaticTax: settings.STRIPE_AUTOMATIC_TAX,
  });
  return watch("payments", gateway, ["openSession", "closeSession", "facts", "refund", "sessionOf"]);
}
