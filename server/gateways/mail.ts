import { createTransport, type NodemailerError } from "nodemailer";

export interface MailMessage {
  /** The same at every attempt: the Message-ID derives from it, so that receivers recognise repetitions. */
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
  | { accepted: true /** What went wrong beside it. */; note?: string }
  | {
      accepted: false;
      final: boolean;
      reason: string /** Whether the hidden copy went out all the same. */;
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

/** Sends mail by SMTP. Never rejects for what a server or a network says; a message that cannot be put is a final refusal. */
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
 * Whether a server refused the message or its recipient for good. What it says to our sign-in or our sender is about
 * our settings: once they are mended, the message goes out.
 */
const isFinal = ({ permanent, command }: NodemailerError) =>
  Boolean(permanent) && (command === "RCPT TO" || command === "DATA");

/** RFC 2369 and RFC 8058. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {};

// Control characters end a header line; the others are syntax in address headers.
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** The part, if any, that would add to its header. */
function unsafePart({ to, bcc, subject, unsubscribeUrl }: Omit<MailMessage, "id" | "html" | "text">) {
  if (!ADDRESS.test(to)) return "address";
  if (bcc !== undefined && !ADDRESS.test(bcc)) return "copy's address";
  if (/\p{Cc}/u.test(subject)) return "subject";
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[^\s\p{Cc}<>]+$/u.test(unsubscribeUrl)) return "unsubscribe link";
  return undefined;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
