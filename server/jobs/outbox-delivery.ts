import type { EmailName, EmailProps, NoticeOrder, SmsProps } from "../emails/email-props.ts";
import type { Language } from "../emails/language.ts";
import type { MemoryPictures } from "../emails/memory-picture.ts";
import type { Mail } from "../gateways/mail.ts";
import type { Push } from "../gateways/push.ts";
import type { Sms } from "../gateways/sms.ts";
import type { Unsubscribing } from "../unsubscribing/unsubscribing.ts";
import { isNoticeEmail, type WriteNotices } from "./notices/notice-emails.ts";
import type { Pushes, PushOrder } from "./notices/push-messages.ts";

/**
 * Whether an email offers one-click unsubscription: emails that other people cause do, because a guest may have typed
 * anybody's address. Emails about the account itself and messages to us are always sent.
 */
const canBeEnded = <Name extends EmailName>(name: Name, props: EmailProps[Name]): boolean =>
  name === "guest-receipt" ||
  name === "day-reminder" ||
  (name === "note" && "from" in props && props.from !== undefined);

/** A message that this process has claimed. */
export interface Claim {
  id: string;
  kind: "mail" | "sms" | "push";
  template: string;
  language: Language;
  recipient: string;
  /** The time zone of the recipient's account, if it has one. */
  timeZone: string | null;
  bcc: string | null;
  props: object;
  attempts: number;
  expired: boolean;
}

/** The result of an attempt; the fields are the gateways' own. */
export type Answer =
  | { accepted: true; note?: string /** Nothing was sent, because the recipient has unsubscribed. */; unwanted?: true }
  | { accepted: false; final: boolean; reason: string; copied?: boolean };

export interface Gateways {
  mail?: Mail;
  sms?: Sms;
  push?: Push;
}

export interface Writing {
  /** Evaluated at send time; without it emails contain no unsubscribe link. */
  wishes?: Unsubscribing | undefined;
  /** Renders emails about notices; without it they are not sent. */
  notices?: WriteNotices | undefined;
  /** Makes the pictures of emails; without it they have none. */
  pictures?: MemoryPictures | undefined;
  /** Writes the messages to devices; without it they are not sent. */
  pushes?: Pushes | undefined;
}

/** Renders a message and hands it to its gateway. Rejects if it cannot be rendered, which a later release may fix. */
export async function deliver(
  { mail, sms, push, wishes, notices, pictures, pushes }: Gateways & Writing,
  claim: Claim,
  signal: AbortSignal,
): Promise<Answer> {
  const { id, kind, template, language, recipient } = claim;
  // `enqueueMail` and `enqueueSms` checked the props against the template's type.
  if (kind === "mail" && mail) {
    // Loaded with the first email, because loading the templates takes much of a second.
    const { isEmailName, renderEmail } = await import("../emails/render.tsx");
    if (!isEmailName(template)) throw new Error(`There is no letter called ${template}`);
    if (isNoticeEmail(template)) {
      const written = await notices?.(template, claim.props as NoticeOrder);
      if (!written) return { accepted: true, unwanted: true };
      const { page, endpoint, reader, memory, faces } = written;
      const picture = memory === null ? undefined : await pictures?.seenBy(reader, memory);
      const email = await renderEmail(template, language, written.props, around(page, picture));
      return mail(
        { id, to: recipient, ...email, pictures: attached(picture, faces), unsubscribeUrl: endpoint },
        signal,
      );
    }
    const props = claim.props as EmailProps[typeof template];
    const links = wishes && canBeEnded(template, props) ? wishes : undefined;
    // Checked again at send time, which may be a day after the invitation.
    if (await links?.isUnsubscribed(recipient)) return { accepted: true, unwanted: true };
    // Read with the permissions of the recipient, because the sender may see more.
    const picture =
      "html" in props && props.site !== undefined ? await pictures?.openedBy(props.html, props.site) : undefined;
    const email = await renderEmail(template, language, props, {
      ...around(links?.page(recipient), picture),
      timeZone: claim.timeZone ?? undefined,
    });
    const bcc = claim.bcc ?? undefined;
    const unsubscribeUrl = links?.endpoint(recipient);
    return mail({ id, to: recipient, bcc, ...email, pictures: attached(picture), unsubscribeUrl }, signal);
  }
  if (kind === "sms" && sms) {
    const { isSmsName, smsText } = await import("../emails/sms-texts.ts");
    if (!isSmsName(template)) throw new Error(`There is no text message called ${template}`);
    return sms(recipient, smsText(template, language, claim.props as SmsProps[typeof template]));
  }
  if (kind === "push" && push) {
    const written = await pushes?.write(recipient, claim.props as PushOrder);
    if (!written) return { accepted: true, unwanted: true };
    const answer = await push(written.target, written.message, signal);
    if (answer.accepted || !answer.gone) return answer;
    await pushes?.forget(written.target);
    return { accepted: true, unwanted: true };
  }
  return { accepted: false, final: false, reason: `No gateway for ${kind} is set` };
}

const around = (unsubscribeUrl: string | undefined, picture: Buffer | undefined) => ({
  unsubscribeUrl,
  picture: picture && "picture",
});

/** Returns the attached pictures by content id. */
const attached = (picture: Buffer | undefined, faces: ReadonlyMap<string, Buffer> = new Map()) =>
  new Map([...(picture ? [["picture", picture] as const] : []), ...faces]);
