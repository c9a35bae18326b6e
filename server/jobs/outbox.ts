import { isMailable } from "../../shared/credentials.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Transaction } from "../database/database.ts";
import type { EmailName, EmailProps, NoticeEmailName, NoticeOrder, SmsName, SmsProps } from "../emails/email-props.ts";
import type { Language } from "../emails/language.ts";
import type { PushOrder } from "./notices/push-messages.ts";

interface Queued<Name, Props> {
  template: Name;
  language: Language;
  to: string;
  props: Props;
  /** Identifies the subject. Only the first message with a key is sent, as long as its row exists. */
  dedupeKey?: string;
  /** The time after which it is not sent, e.g. because its link has expired. */
  expiresAt?: Date;
}

export interface QueuedMail<Name extends EmailName = EmailName> extends Queued<Name, EmailProps[Name]> {
  /** A hidden recipient. */
  bcc?: string;
}

export type EnqueuedSms<Name extends SmsName = SmsName> = Queued<Name, SmsProps[Name]>;

/** Enqueues an email to send after `tx` commits; retried for about a day. Rejects addresses that inject headers. */
export async function enqueueMail<Name extends EmailName>(tx: Transaction, mail: QueuedMail<Name>): Promise<void> {
  for (const address of [mail.to, mail.bcc]) {
    if (address !== undefined && !isMailable(address))
      throw new RequestError("validation_failed", { message: "Invalid email format" });
  }
  await add(tx, "mail", mail);
}

/** Enqueues an email about notices, whose content is rendered with the reader's permissions at send time. */
export async function enqueueNoticeMail(tx: Transaction, mail: Queued<NoticeEmailName, NoticeOrder>): Promise<void> {
  // An invalid address must not prevent the emails to others.
  if (isMailable(mail.to)) await add(tx, "mail", mail);
}

/** Enqueues a text message, to be sent after `tx` commits; `to` is in E.164 form, e.g. +441632960000. */
export async function enqueueSms<Name extends SmsName>(tx: Transaction, sms: EnqueuedSms<Name>): Promise<void> {
  if (!/^\+[1-9]\d{6,14}$/.test(sms.to))
    throw new RequestError("validation_failed", { message: "Invalid phone number format (E.164 required)" });
  await add(tx, "sms", sms);
}

/** Enqueues a message to the device of a session, to be written with its reader's permissions when it is sent. */
export async function enqueuePush(
  tx: Transaction,
  { session, props, expiresAt }: { session: string; props: PushOrder; expiresAt: Date },
): Promise<void> {
  // The language is chosen when the message is written.
  await add(tx, "push", { template: "notices", language: "en", to: session, props, expiresAt });
}

async function add(tx: Transaction, kind: "mail" | "sms" | "push", owed: Queued<string, object> & { bcc?: string }) {
  const { template, language, to, bcc, props, dedupeKey, expiresAt } = owed;
  await tx.query(
    `insert into private.outbox (kind, template, language, recipient, bcc, props, dedupe_key, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (dedupe_key) do nothing`,
    [kind, template, language, to, bcc ?? null, props, dedupeKey ?? null, expiresAt ?? null],
  );
}
