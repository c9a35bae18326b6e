import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Address } from "../../../shared/account.ts";
import { useBotCheck } from "../../actions/bot-check/use-bot-check.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { type MailPurpose, useSendMail } from "./account.queries.ts";
import { refusalKey } from "./refusal-key.ts";
import { useAccountTexts } from "./use-account-texts.ts";

interface AddressFormProps {
  purpose: MailPurpose;
  /** The button's label. */
  submit: string;
  onSent: (email: string) => void;
}

/** A form for an email address; submitting it sends a message there. */
export function AddressForm({ purpose, submit, onSent }: AddressFormProps) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const send = useSendMail(purpose);
  const { captcha, widget } = useBotCheck();
  const form = useForm({ resolver: zodResolver(Address), defaultValues: { email: "" } });
  const ask = (email: string) =>
    send.mutate(
      { email, captcha },
      {
        onSuccess: onSent,
        // A message was sent moments ago, e.g. before a reload. Its code can be typed.
        onError: (error) => refusalKey(error) === "tooManyMessages" && onSent(email),
      },
    );
  return (
    <Form onSubmit={form.handleSubmit(({ email }) => ask(email))} error={texts.refusal(send.error)}>
      <TextField
        label={t("email")}
        type="email"
        autoComplete="username"
        error={texts.problem(form.formState.errors.email)}
        {...form.register("email")}
      />
      <SubmitButton busy={send.isPending}>{submit}</SubmitButton>
      {widget}
    </Form>
  );
}
