import { createTransport, type NodemailerError } from "nodemailer";

export interface MailMessage {
  /** The same for every attempt. The Message-ID derives from it, so that receivers recognise duplicates. */
  id: string;
  to: string;
  /** A hidden recipient. */
  bcc?: string;
  subject: string;
  html: string;
  text: string;
  /** Inline JPEG files by content id. */
  pictures?: ReadonlyMap<string, Buffer> | undefined;
  /** The https URL for one-click unsubscribing, which takes a POST. */
  unsubscribeUrl?: string;
}

/** The server's answer. Refusals that are not final may be accepted later. */
export type MailAnswer =
  | { accepted: true /** A problem that did not prevent delivery. */; note?: string }
  | {
      accepted: false;
      final: boolean;
      reason: string /** Whether the hidden copy was accepted anyway. */;
      copied?: boolean;
    };

export type Mail = (message: MailMessage, signal?: AbortSignal) => Promise<MailAnswer>;

export interface MailSettings {
  /** smtp://user:password@host:port, or smtps://. */
  url: string;
  from: { name: string; address: string };
  /** The address for replies. */
  replyTo: string;
}

/**
 * Sends mail by SMTP. Never rejects for errors of the server or network. A message with unsafe headers is refused
 * finally.
 */
export function mail({ url, from, replyTo }: MailSettings): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: 30_000,
    greetingTimeout: 30_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.split("@")[1];

  return async ({ id, to, bcc, subject, html, text, pictures, unsubscribeUrl }, signal) => {
    const unsafe = unsafePart({ to, bcc, subject, unsubscribeUrl });
    if (unsafe) return { accepted: false, final: true, reason: `Its ${unsafe} would break out of its header` };
    const copyTo = bcc && !same(bcc, to) ? bcc : undefined;
    const attempt = await transport
      .sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        replyTo,
        // As objects, so that an address cannot contain a second one.
        to: { name: "", address: to },
        ...(copyTo ? { bcc: { name: "", address: copyTo } } : {}),
        subject,
        html,
        text,
        attachments: [...(pictures ?? [])].map(([cid, content]) => ({
          cid,
          content,
          contentType: "image/jpeg",
          contentDisposition: "inline" as const,
          filename: `${cid}.jpg`,
        })),
        headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        signal,
      })
      .catch((error: NodemailerError) => error);
    return answerOf(attempt, copyTo);
  };
}

/** The recipients that the server rejected, whether or not it accepted others. */
interface Attempt {
  accepted?: string[];
  rejectedErrors?: NodemailerError[];
}

function answerOf(attempt: Attempt | (NodemailerError & Attempt), copyTo: string | undefined): MailAnswer {
  const isCopy = ({ recipient = "" }: NodemailerError) => copyTo !== undefined && same(recipient, copyTo);
  const rejected = attempt.rejectedErrors ?? [];
  const own = rejected.find((error) => !isCopy(error));
  if (own) {
    const copied = (attempt.accepted ?? []).some((address) => copyTo !== undefined && same(address, copyTo));
    return { accepted: false, final: isFinal(own), reason: own.message, copied };
  }
  if (attempt instanceof Error) return { accepted: false, final: isFinal(attempt), reason: attempt.message };
  const copy = rejected.find(isCopy);
  return copy ? { accepted: true, note: `No hidden copy: ${copy.message}` } : { accepted: true };
}

/**
 * Whether the server permanently refused the message or its recipient. Refusals of our credentials or our sender
 * concern our settings: once these are corrected, the message can be sent.
 */
const isFinal = ({ permanent, command }: NodemailerError) =>
  Boolean(permanent) && (command === "RCPT TO" || command === "DATA");

/** The headers of RFC 2369 and RFC 8058. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {};

// Control characters end a header line; the others are syntax in address headers.
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** The first part that could inject header content; undefined if all are safe. */
function unsafePart({ to, bcc, subject, unsubscribeUrl }: Omit<MailMessage, "id" | "html" | "text">) {
  if (!ADDRESS.test(to)) return "address";
  if (bcc !== undefined && !ADDRESS.test(bcc)) return "copy's address";
  if (/\p{Cc}/u.test(subject)) return "subject";
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[^\s\p{Cc}<>]+$/u.test(unsubscribeUrl)) return "unsubscribe link";
  return undefined;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
