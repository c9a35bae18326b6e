import { EmailRequest } from "../../../shared/email.ts";
import type { Language } from "../../i18n/languages.ts";

/**
 * The result of sending an email (Spec §4). `background`: the email is enqueued and will be retried; `unconfirmed`: the
 * response was lost, which is reported as a success (Spec §8).
 */
export type SendResult = "success" | "background" | "skipped" | "unconfirmed";
export type EmailKind = "memory" | "platform" | "letter";

export interface PersonalEmail {
  toEmail: string;
  inviterEmail: string;
  subject: string;
  /** HTML. */
  message: string;
  /** The language of the email's frame. */
  language: Language;
}

export interface SendDeps {
  /** Resolves to whether the address has unsubscribed. A failure of this check does not prevent the email. */
  isUnsubscribed: (email: string) => Promise<boolean>;
  /** Sends JSON to the function `send-email` as the signed-in person. */
  post: (body: PersonalEmail) => Promise<Response>;
}

const NAMES: Record<EmailKind, string> = {
  memory: "memory invitation",
  platform: "invitation",
  letter: "letter",
};

/** An error if the server did not accept an email, with the message of Spec §8. */
export class SendFailure extends Error {
  constructor(
    readonly kind: EmailKind,
    readonly statusText: string,
  ) {
    super(`Failed to send ${NAMES[kind]}: Failed to send ${NAMES[kind]} email: ${statusText}`);
  }
}

const Addresses = EmailRequest.pick({ toEmail: true, inviterEmail: true }).required();

/** Returns why this sender cannot invite this address (Spec §5), or undefined if they can. */
export function addressProblem(toEmail: string, inviterEmail: string): string | undefined {
  return Addresses.safeParse({ toEmail, inviterEmail }).error?.issues[0]?.message;
}

/**
 * Sends an invitation (Spec §7), except to unsubscribed addresses. Throws an error for invalid addresses, and a
 * {@link SendFailure} if the server refuses the email.
 */
export async function sendEmail(kind: EmailKind, mail: PersonalEmail, deps: SendDeps): Promise<SendResult> {
  const problem = addressProblem(mail.toEmail, mail.inviterEmail);
  if (problem) throw new Error(problem);
  if (await deps.isUnsubscribed(mail.toEmail).catch(() => false)) return "skipped";
  let response: Response;
  try {
    response = await deps.post(mail);
  } catch (error) {
    // `fetch` throws a TypeError if the response is lost; the email may have been enqueued nevertheless.
    if (error instanceof TypeError) return "unconfirmed";
    throw error;
  }
  return resultOf(kind, response);
}

async function resultOf(kind: EmailKind, response: Response): Promise<SendResult> {
  if (response.status === 202) return "background";
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new SendFailure(kind, reasonOf(response, body));
  return typeof body === "object" && body !== null && "skipped" in body && body.skipped === true
    ? "skipped"
    : "success";
}

/** Returns the status text or, because HTTP/2 has none, the server's message. */
function reasonOf({ status, statusText }: Response, body: unknown): string {
  if (statusText) return statusText;
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  return typeof message === "string" ? message : String(status);
}
