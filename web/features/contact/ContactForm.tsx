import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContactFields } from "../../../shared/email.ts";
import { escapeHtml } from "../../../shared/escape-html.ts";
import { useBotCheck } from "../../actions/bot-check/use-bot-check.tsx";
import { config } from "../../lib/browser/config.ts";
import { callFunction, FunctionRefusal } from "../../lib/request/call-function.ts";
import { useSession } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { keptMessage } from "./kept-message.ts";

/** The messages of `ContactFields`, as keys of `contact:errors`. */
const ERRORS = {
  "Name is required": "errors.name",
  "Email is required": "errors.email",
  "Invalid email format": "errors.format",
  "Subject is required": "errors.subject",
  "Message is required": "errors.message",
  "This is one line of text": "errors.oneLine",
} as const;

/** Loads the validation rules. Called when the form is first used, because most visitors only read the page. */
const loadRules = () => import("../../../shared/email.ts");

/** The fixed subject of a message, and text that is appended to the message. */
interface About {
  subject: string;
  attached: string;
}

/** The contact form, then the confirmation. */
export function Contact({ about }: { about?: About }) {
  const { t } = useTranslation("contact");
  const [sentFrom, setSentFrom] = useState<string>();
  if (sentFrom === undefined) return <ContactForm about={about} onSent={setSentFrom} />;
  return (
    <div role="status" className="grid justify-items-start gap-4">
      <h2 className="font-serif text-3xl">{t("sent.title")}</h2>
      <p className="wrap-anywhere text-ink-soft">{t("sent.text", { email: sentFrom })}</p>
      <Button variant="quiet" onClick={() => setSentFrom(undefined)}>
        {t("sent.another")}
      </Button>
    </div>
  );
}

interface ContactFormProps {
  about: About | undefined;
  /** Called after the message was sent, with the sender's address. */
  onSent: (email: string) => void;
}

type Errors = Partial<Record<keyof ContactFields, string>>;

/** The contact form (Spec §5). Its text remains after a failure. With `about`, it is also stored on this device. */
function ContactForm({ about, onSent }: ContactFormProps) {
  const { t } = useTranslation("contact");
  const session = useSession();
  const sender = session.state === "signed in" ? session.user : undefined;
  const [begun, setBegun] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const form = useRef<HTMLFormElement>(null);
  const [storedMessage] = useState(() => (about ? keptMessage.read() : undefined));
  const { captcha, widget } = useBotCheck();
  const send = useMutation({
    mutationFn: async ({ message, ...sender }: ContactFields) =>
      sendMessage({ ...sender, message: about ? `${message}\n\n${about.attached}` : message }, await captcha()),
    onSuccess: (_, { email }) => {
      if (about) keptMessage.forget();
      onSent(email);
    },
  });
  const check = async (event: FormEvent<HTMLFormElement>) => {
    const typed = { ...about, ...Object.fromEntries(new FormData(event.currentTarget)) };
    const rules = await loadRules().catch(() => undefined);
    // If the rules cannot be loaded, sending fails and shows the error.
    if (!rules) return { data: typed as ContactFields, first: undefined };
    const { data, error } = rules.ContactFields.safeParse(typed);
    // Only the first error of each field is shown.
    setErrors(Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]).reverse() ?? []));
    return { data, first: error?.issues[0]?.path[0] };
  };
  const begin = () => {
    if (!begun) loadRules().catch(() => {});
    setBegun(true);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    begin();
    const { data, first } = await check(event);
    if (data) send.mutate(data);
    form.current?.querySelector<HTMLElement>(`[name="${String(first)}"]`)?.focus();
  };
  const field = (name: keyof ContactFields, value = "") => {
    const message = errors[name];
    const error = message && t(ERRORS[message as keyof typeof ERRORS] ?? "errors.tooLong");
    return { name, label: t(name), error, defaultValue: storedMessage?.[name] ?? value };
  };
  return (
    <Form
      ref={form}
      onFocus={begin}
      onInput={(event) => {
        if (about) keptMessage.keep(event.currentTarget);
        if (Object.keys(errors).length > 0) void check(event);
      }}
      onSubmit={submit}
      error={send.error && new Error(t(...reasonOf(send.error)))}
    >
      <div className={classNames("grid gap-5", !about && "sm:grid-cols-2")}>
        <TextField autoComplete="name" {...field("name", sender?.fullName)} />
        <TextField type="email" autoComplete="email" {...field("email", sender?.email)} />
      </div>
      {!about && <TextField {...field("subject")} />}
      <TextArea rows={about ? 5 : 8} {...field("message")} />
      <SubmitButton busy={send.isPending} className="justify-self-start">
        {t("submit")}
      </SubmitButton>
      {begun && widget}
    </Form>
  );
}

/** The key and values of the error's text in `contact`. */
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
  const { CONTACT_SUBJECT } = await loadRules();
  await callFunction("send-email", {
    toEmail: config().infoEmail,
    subject: CONTACT_SUBJECT + subject,
    message: paragraphs.join(""),
    contact: { name, email, captchaToken },
  });
}
