import { useMutation } from "@tanstack/react-query";
import { Mail } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { emailDeps } from "../../../actions/emails/email-deps.ts";
import { emailHtml, subjectOf } from "../../../actions/emails/email-html.ts";
import { addressProblem, sendEmail } from "../../../actions/emails/send-email.ts";
import { type Language, languages } from "../../../i18n/languages.ts";
import { translate } from "../../../i18n/translate.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextField } from "../../../ui/TextField.tsx";

interface LetterMailProps {
  /** The link. */
  address: string;
  recipient: string;
  note: string;
  /** The memory's name. */
  memory: string;
}

/** Sends the link of a person who is asked by an email, with the limits and the unsubscribing of invitations. */
export function LetterMail({ address, recipient, note, memory }: LetterMailProps) {
  const { t, i18n } = useTranslation("questions");
  const { email: inviterEmail, fullName } = useUser();
  const [toEmail, setToEmail] = useState("");
  const [language, setLanguage] = useState(i18n.language as Language);
  const [isWrong, setWrong] = useState(false);
  const send = useMutation({
    mutationFn: async () => {
      const say = (key: string, values?: Record<string, unknown>) => translate(key, values, ["questions"], language);
      const names = { inviter: fullName || inviterEmail, recipient, memory };
      const message = emailHtml([
        say("mail.intro", names),
        { quote: note },
        { link: address, label: say("mail.open") },
        say("mail.how"),
      ]);
      const subject = subjectOf(say("mail.subject", names));
      const result = await sendEmail("letter", { toEmail, inviterEmail, subject, message, language }, emailDeps);
      return { result, toEmail };
    },
  });
  const isInvalid = addressProblem(toEmail, inviterEmail) !== undefined;
  return (
    <Form
      className="border-t border-line pt-5"
      error={send.error && new Error(t("mail.failed"))}
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(isInvalid);
        if (!isInvalid) send.mutate();
      }}
    >
      <TextField
        type="email"
        label={t("mail.label")}
        error={isWrong && isInvalid ? t("mail.invalid") : undefined}
        value={toEmail}
        autoComplete="off"
        onChange={({ target }) => setToEmail(target.value)}
      />
      <SelectField
        label={t("mail.language")}
        value={language}
        onChange={({ target }) => setLanguage(languages.find(({ code }) => code === target.value)?.code ?? language)}
        options={languages.map(({ code, name }) => [code, name])}
      />
      <SubmitButton icon={Mail} variant="quiet" size="medium" busy={send.isPending} className="justify-self-start">
        {t("mail.send")}
      </SubmitButton>
      <p role="status" className="empty:hidden">
        {send.data && t(send.data.result === "skipped" ? "mail.skipped" : "mail.sent", { email: send.data.toEmail })}
      </p>
    </Form>
  );
}
