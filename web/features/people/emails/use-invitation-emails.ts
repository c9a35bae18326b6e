import { useTranslation } from "react-i18next";
import { excerpt } from "../../../../shared/excerpt.ts";
import { emailHtml, subjectOf } from "../../../actions/emails/email-html.ts";
import { type PersonalEmail, SendFailure } from "../../../actions/emails/send-email.ts";
import type { Language } from "../../../i18n/languages.ts";
import { translate } from "../../../i18n/translate.ts";
import { plainText } from "../../../lib/formatting/plain-text.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";

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
  return {
    memory({ toEmail, note, memory, path, language }: MemoryInvitation): PersonalEmail {
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
    platform({ toEmail, note }: { toEmail: string; note: string }): PersonalEmail {
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
