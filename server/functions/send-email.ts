import { normalizeIP } from "@fastify/rate-limit";
import { CONTACT_SUBJECT, type EmailReply, EmailRequest } from "../../shared/email.ts";
import { escapeHtml } from "../../shared/escape-html.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Transaction } from "../database/database.ts";
import type { EmailProps } from "../emails/email-props.ts";
import { greetingName, type Language, languageOf } from "../emails/language.ts";
import { cleanEmail } from "../html/html.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import type { Settings } from "../settings/settings.ts";
import { checkCaptchaToken } from "../supabase/auth/captcha.ts";
import type { SignedIn } from "../supabase/auth/signed-in.ts";
import { isUnsubscribed } from "../unsubscribing/unsubscribing.ts";
import { endpoint } from "./endpoint.ts";
import { signedInPerson } from "./signed-in-person.ts";

/** `MAIL_INFO` is the address for messages of visitors, and `MAIL_WELCOME_BCC` the only one that may be in Bcc. */
type Addresses = Pick<Settings, "MAIL_INFO" | "MAIL_WELCOME_BCC">;

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * POST /.netlify/functions/send-email: emails the sanitised `message` of the signed-in person to `toEmail`; visitors
 * can write only to the product's own address. Responds 202 once the email is enqueued, or 200 with `skipped` if its
 * recipient has unsubscribed.
 */
export const sendEmail = endpoint(
  // A person is identified later, because visitors may write to the product's own address.
  { ownPagesOnly: true, caller: "unidentified" },
  async ({ db, accounts, limits, settings, site, request, address }) => {
    const email = readEmail(await request.json().catch(() => undefined));
    // Of one person in a day, and from one network in an hour.
    const most = settings.SEND_EMAIL_LIMIT;
    if (isContact(email, settings)) {
      if (accounts.captcha) await checkCaptchaToken(accounts.captcha, email.contact?.captchaToken ?? "", address);
      await limits.spend([{ key: `contact from ${normalizeIP(address)}`, most, seconds: HOUR }]);
      const language = languageOf(undefined, request.headers.get("accept-language") ?? undefined);
      await db.transaction((tx) => keepContact(tx, email, { site, language }));
      return success();
    }
    const person = await signedInPerson(accounts, request);
    refuseUnlessOwn(email, person, settings);
    await limits.spend([{ key: `emails of ${person.id}`, most, seconds: DAY }]);
    const language = languageOf(
      email.language ?? person.raw_user_meta_data?.language,
      request.headers.get("accept-language") ?? undefined,
    );
    const isSent = await db.transaction(async (tx) => {
      await rememberRecipient(tx, person, email.toEmail);
      if (await isUnsubscribed(tx, email.toEmail)) return false;
      const from = person.email ?? email.inviterEmail ?? "";
      const name = greetingName(person.raw_user_meta_data.full_name);
      if (same(email.toEmail, settings.MAIL_INFO) && email.inviterEmail === undefined) {
        // Without `from`, because our own address must not unsubscribe.
        const message = `<p>${escapeHtml(name ? `${name}, ${from}` : from)}</p>${email.message}`;
        await enqueue(tx, { ...email, message }, { language, site });
      } else await enqueue(tx, email, { language, from, name, site });
      return true;
    });
    return isSent ? success() : skipped();
  },
);

function readEmail(body: unknown): EmailRequest {
  const parsed = EmailRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new RequestError("validation_failed", { message: parsed.error.issues[0]?.message ?? "Invalid request" });
}

/** A message from the contact form, which needs no account. */
const isContact = ({ toEmail, subject, bcc }: EmailRequest, { MAIL_INFO }: Addresses) =>
  same(toEmail, MAIL_INFO) && subject.startsWith(CONTACT_SUBJECT) && bcc === undefined;

/** Stores a message of the contact form and enqueues its email. Its text names the sender, who is not confirmed. */
async function keepContact(
  tx: Transaction,
  email: EmailRequest,
  { site, language }: { site: string; language: Language },
): Promise<void> {
  const { contact, subject } = email;
  const message = cleanEmail(email.message, site);
  if (contact) {
    await tx.query(
      "insert into contact_messages (name, email, subject, message, language) values ($1, $2, $3, $4, $5)",
      [contact.name, contact.email, subject.slice(CONTACT_SUBJECT.length).trim() || subject, message, language],
    );
  }
  const sender = contact ? `<p>${escapeHtml(`${contact.name}, ${contact.email}`)}</p>` : "";
  await enqueue(tx, { ...email, message: sender + message }, { language: "en", site });
}

/** Refuses forged senders, hidden third-party recipients and anonymous mail to others (Spec §5). */
function refuseUnlessOwn(
  { toEmail, bcc, inviterEmail }: EmailRequest,
  { email: own }: SignedIn,
  { MAIL_INFO, MAIL_WELCOME_BCC }: Addresses,
) {
  if (bcc !== undefined && !same(bcc, MAIL_WELCOME_BCC)) {
    throw new RequestError("bcc_not_allowed");
  }
  if (inviterEmail === undefined) {
    if (same(toEmail, own ?? "") || same(toEmail, MAIL_INFO)) return;
    throw new RequestError("validation_failed", { message: "Inviter email is required" });
  }
  if (!same(inviterEmail, own ?? "")) {
    throw new RequestError("inviter_not_yours");
  }
}

/** Allows the sender to query whether the address is unsubscribed: the response reveals it anyway. */
const rememberRecipient = (tx: Transaction, person: SignedIn, recipient: string) =>
  tx.query(
    `insert into private.correspondents (user_id, email) values ($1, $2)
     on conflict (user_id, email) do update set last_written_at = now()`,
    [person.id, recipient.toLowerCase()],
  );

/** The sort of a person's email by the page to which it links. */
const SORTS_BY_LINK = [
  ["/shared/", "memory invitation"],
  ["/answer#", "letter"],
] as const;

const enqueue = (
  tx: Transaction,
  { toEmail, subject, message, bcc, inviterEmail }: EmailRequest,
  { language, site, ...sender }: { language: Language; from?: string | undefined; name?: string; site: string },
) => {
  const html = cleanEmail(message, site);
  const linked = SORTS_BY_LINK.find(([path]) => html.includes(site + path))?.[1] ?? "invitation";
  const sort = inviterEmail === undefined ? undefined : linked;
  const props: EmailProps["note"] = {
    subject,
    html,
    ...sender,
    site,
    sort: subject.startsWith(CONTACT_SUBJECT) ? "contact form" : sort,
  };
  return enqueueMail(tx, { template: "note", language, to: toEmail, bcc, props });
};

const success = () =>
  Response.json({ success: true, message: "The email is on its way." } satisfies EmailReply, { status: 202 });
const skipped = (): EmailReply => ({ success: true, message: "The recipient has unsubscribed.", skipped: true });

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
