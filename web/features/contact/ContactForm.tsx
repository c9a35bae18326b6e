import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { CONTACT_SUBJECT, ContactFields } from "../../../shared/email.ts";
import { escapeHtml } from "../../../shared/escape-html.ts";
import { useBotCheck } from "../../actions/bot-check/use-bot-check.tsx";
import { config } from "../../lib/browser/config.ts";
import { callFunction, FunctionRefusal } from "../../lib/request/call-function.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";

/** Messages of `ContactFields`, by their keys of `contact:errors`. */
const ERRORS = {
  "Name is required": "errors.name",
  "Email is required": "errors.email",
  "Invalid email format": "errors.format",
  "Subject is required": "errors.subject",
  "Message is required": "errors.message",
  "This is one line of text": "errors.oneLine",
} as const;

interface ContactFormProps {
  /** The message has arrived; an answer goes to this address. */
  onSent: (email: string) => void;
}

/** The contact form (Spec §5). What was typed stays when it could not be sent. */
export function ContactForm({ onSent }: ContactFormProps) {
  const { t } = useTranslation("contact");
  const { captcha, widget } = useBotCheck();
  const { register, handleSubmit, formState } = useForm<ContactFields>({
    resolver: zodResolver(ContactFields),
    defaultValues: { name: "", email: "", subject: "", message: "" },
  });
  const send = useMutation({
    mutationFn: async (fields: ContactFields) => sendMessage(fields, await captcha()),
    onSuccess: (_, { email }) => onSent(email.trim()),
  });
  const wrong = (name: keyof ContactFields) => {
    const message = formState.errors[name]?.message;
    if (message === undefined) return undefined;
    return t(ERRORS[message as keyof typeof ERRORS] ?? "errors.tooLong");
  };
  return (
    <Form
      onSubmit={handleSubmit((fields) => send.isPending || send.mutate(fields))}
      error={send.error && new Error(t(...reasonOf(send.error)))}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label={t("name")} autoComplete="name" error={wrong("name")} {...register("name")} />
        <TextField label={t("email")} type="email" autoComplete="email" error={wrong("email")} {...register("email")} />
      </div>
      <TextField label={t("subject")} error={wrong("subject")} {...register("subject")} />
      <TextArea label={t("message")} rows={8} error={wrong("message")} {...register("message")} />
      {widget}
      <SubmitButton busy={send.isPending} className="justify-self-start">
        {t("submit")}
      </SubmitButton>
    </Form>
  );
}

/** The key of `contact` that says why a message was not sent, and its values. */
function reasonOf(error: Error) {
  const refusal = error instanceof FunctionRefusal ? error : undefined;
  if (refusal?.code === "captcha_failed") return ["robot", {}] as const;
  if (refusal?.status === 429) return ["tooMany", {}] as const;
  return ["errors.failed", { statusText: error.message }] as const;
}

/** Sends a message of the contact form to the product's own address (Spec §7); rejects with a `FunctionRefusal`. */
async function sendMessage(fields: ContactFields, captchaToken: string | undefined): Promise<void> {
  const { name, email, subject, message } = fields;
  const paragraphs = message.split(/\n{2,}/).map((text) => `<p>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`);
  await callFunction("send-email", {
    toEmail: config().infoEmail,
    subject: CONTACT_SUBJECT + subject,
    message: paragraphs.join(""),
    contact: { name, email, captchaToken },
  });
}
