import { normalizeIP } from "@fastify/rate-limit";
import { CONTACT_SUBJECT, type EmailReply, EmailRequest } from "../../shared/email.ts";
import { escapeHtml } from "../../shared/escape-html.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Transaction } from "../database/database.ts";
import type { EmailProps } from "../emails/email-props.ts";
import { greetingName, type Language, languageOf } from "../emails/language.ts";
import { cleanEmail } from "../html/html.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import { checkCaptchaToken } from "../supabase/auth/captcha.ts";
import type { AuthContext } from "../supabase/auth/context.ts";
import type { SignedIn } from "../supabase/auth/signed-in.ts";
import { isUnsubscribed } from "../unsubscribing/unsubscribing.ts";
import type { ServerFunction } from "./mount.ts";
import { signedInPerson } from "./signed-in-person.ts";

interface Post {
  /** The address for messages of visitors. */
  info: string;
  /** The only address that may be in Bcc. */
  copyTo: string;
  /** Emails of one person in a day, and messages to `info` from one network in an hour. */
  allowance: number;
  /** The site's URL: links to it are kept unchanged. */
  site: string;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * POST /.netlify/functions/send-email: emails the sanitised `message` of the signed-in person to `toEmail`; visitors
 * can write only to the product's own address. Responds 202 once the email is enqueued, or 200 with `skipped` if its
 * recipient has unsubscribed.
 */
export const sendEmail =
  (auth: AuthContext, post: Post): ServerFunction =>
  async (request, { address }) => {
    const email = readEmail(await request.json().catch(() => undefined));
    if (isContact(email, post)) {
      if (auth.captcha) await checkCaptchaToken(auth.captcha, email.contact?.captchaToken ?? "", address);
      await auth.limits.spend([{ key: `contact from ${normalizeIP(address)}`, most: post.allowance, seconds: HOUR }]);
      const language = languageOf(undefined, request.headers.get("accept-language") ?? undefined);
      await auth.db.transaction((tx) => keepContact(tx, email, { site: post.site, language }));
      return sent();
    }
    const person = await signedInPerson(auth, request);
    refuseUnlessOwn(email, person, post);
    await auth.limits.spend([{ key: `emails of ${person.id}`, most: post.allowance, seconds: DAY }]);
    const language = languageOf(
      email.language ?? person.raw_user_meta_data?.language,
      request.headers.get("accept-language") ?? undefined,
    );
    const wanted = await auth.db.transaction(async (tx) => {
      await rememberRecipient(tx, person, email.toEmail);
      if (await isUnsubscribed(tx, email.toEmail)) return false;
      const from = person.email ?? email.inviterEmail ?? "";
      const name = greetingName(person.raw_user_meta_data.full_name);
      if (same(email.toEmail, post.info) && email.inviterEmail === undefined) {
        // Without `from`, because our own address must not unsubscribe.
        const message = `<p>${escapeHtml(name ? `${name}, ${from}` : from)}</p>${email.message}`;
        await enqueue(tx, { ...email, message }, { language, site: post.site });
      } else await enqueue(tx, email, { language, from, name, site: post.site });
      return true;
    });
    return wanted ? sent() : skipped();
  };

function readEmail(body: unknown): EmailRequest {
  const parsed = EmailRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new RequestError("validation_failed", { message: parsed.error.issues[0]?.message ?? "Invalid request" });
}

/** A message from the contact form, which needs no account. */
const isContact = ({ toEmail, subject, bcc }: EmailRequest, { info }: Post) =>
  same(toEmail, info) && subject.startsWith(CONTACT_SUBJECT) && bcc === undefined;

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
  { info, copyTo }: Post,
) {
  if (bcc !== undefined && !same(bcc, copyTo)) {
    throw new RequestError("bcc_not_allowed");
  }
  if (inviterEmail === undefined) {
    if (same(toEmail, own ?? "") || same(toEmail, info)) return;
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

const enqueue = (
  tx: Transaction,
  { toEmail, subject, message, bcc, inviterEmail }: EmailRequest,
  { language, site, ...sender }: { language: Language; from?: string | undefined; name?: string; site: string },
) => {
  const html = cleanEmail(message, site);
  const sort =
    inviterEmail === undefined ? undefined : html.includes(`${site}/shared/`) ? "memory invitation" : "invitation";
  const props: EmailProps["note"] = {
    subject,
    html,
    ...sender,
    site,
    sort: subject.startsWith(CONTACT_SUBJECT) ? "contact form" : sort,
  };
  return enqueueMail(tx, { template: "note", language, to: toEmail, bcc, props });
};

const headers = { "cache-control": "no-store" };
const sent = () =>
  Response.json({ success: true, message: "The email is on its way." } satisfies EmailReply, { status: 202, headers });
const skipped = () =>
  Response.json({ success: true, message: "The recipient has unsubscribed.", skipped: true } satisfies EmailReply, {
    headers,
  });

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
