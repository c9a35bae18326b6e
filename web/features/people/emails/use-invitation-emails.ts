import { useTranslation } from "react-i18next";
import { escapeHtml } from "../../../../shared/escape-html.ts";
import { excerpt } from "../../../../shared/excerpt.ts";
import type { Language } from "../../../i18n/languages.ts";
import { translate } from "../../../i18n/translate.ts";
import { plainText } from "../../../lib/formatting/plain-text.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { type InvitationEmail, SendFailure } from "./send-invitation-email.ts";

const SUBJECT_LENGTH = 200;
const whole = (path: string) => new URL(path, location.origin).href;

interface MemoryInvitation {
  toEmail: string;
  note: string;
  memory: { person_name: string; description: string };
  /** The URL that opens the memory for the email's recipient. */
  path: string;
  language: Language;
}

/** Returns functions that write the two invitation emails (Spec §7), the second one in the sender's language. */
export function useInvitationEmails() {
  const { i18n } = useTranslation("people");
  const { email: inviterEmail, fullName } = useUser();
  const inviter = fullName || inviterEmail;
  // A line break or another control character would end the email's subject header.
  const subjectOf = (text: string) => [...text.replaceAll(/\p{Cc}+/gu, " ")].slice(0, SUBJECT_LENGTH).join("").trim();
  return {
    memory({ toEmail, note, memory, path, language }: MemoryInvitation): InvitationEmail {
      const t = textsFor(language);
      const { person_name: name } = memory;
      const message = emailHtml([
        t("letter.memoryIntro", { inviter, name }),
        { quote: note },
        excerpt(plainText(memory.description)),
        { link: whole(path), label: t("letter.memoryOpen") },
        t("letter.memoryYours"),
        t("letter.memoryRegister"),
        { link: whole(paths.register(toEmail)), label: t("letter.register") },
      ]);
      const subject = subjectOf(t("letter.memorySubject", { inviter, name }));
      return { toEmail, inviterEmail, subject, message, language };
    },
    platform({ toEmail, note }: { toEmail: string; note: string }): InvitationEmail {
      const language = i18n.language as Language;
      const t = textsFor(language);
      const message = emailHtml([
        t("letter.platformIntro", { inviter }),
        { quote: note },
        { link: whole(paths.register(toEmail)), label: t("letter.platformRegister") },
      ]);
      const subject = subjectOf(t("letter.platformSubject", { inviter }));
      return { toEmail, inviterEmail, subject, message, language };
    },
  };
}

const textsFor = (language: Language) => (key: string, values?: Record<string, unknown>) =>
  translate(key, values, ["people"], language);

const PROBLEMS = {
  "Recipient email is required": "recipient",
  "Inviter email is required": "inviter",
  "Invalid email format": "format",
} as const;

/** Returns a function that resolves an error of Spec §5 or §8 to its text, and other errors to undefined. */
export function useEmailFailure() {
  const { t } = useTranslation("people");
  return (error: unknown): string | undefined => {
    if (error instanceof SendFailure) {
      const { kind, statusText } = error;
      return t(`errors.${kind}`, { reason: t(`errors.${kind}Reason`, { statusText }) });
    }
    const problem = error instanceof Error ? PROBLEMS[error.message as keyof typeof PROBLEMS] : undefined;
    return problem && t(`errors.${problem}`);
  };
}

/** A part of an email as plain text; an undefined or empty part is left out. */
type EmailPart = string | { quote: string } | { link: string; label: string } | undefined;

/** Returns an email as escaped HTML without empty parts. Line breaks of a quote are preserved. */
export const emailHtml = (parts: EmailPart[]): string => parts.map(htmlOf).join("");

function htmlOf(part: EmailPart): string {
  if (part === undefined || part === "") return "";
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  if ("link" in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
  const lines = part.quote.trim().split(/\r?\n/);
  return part.quote.trim() && `<blockquote><p>${lines.map(escapeHtml).join("<br>")}</p></blockquote>`;
}
