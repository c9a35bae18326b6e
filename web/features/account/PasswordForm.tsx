import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Credentials } from "../../../shared/account.ts";
import { useBotCheck } from "../../actions/bot-check/use-bot-check.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { useSendMail, useSignIn } from "./account.queries.ts";
import { PasswordField } from "./PasswordField.tsx";
import { refusalKey } from "./refusal-key.ts";
import { useAccountTexts } from "./use-account-texts.ts";

/** Signs in by password. `onUnconfirmed` is called after the confirmation was resent to an unconfirmed address. */
export function PasswordForm({ onUnconfirmed }: { onUnconfirmed: (email: string) => void }) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const signIn = useSignIn();
  const confirm = useSendMail("signup");
  const { captcha, widget } = useBotCheck();
  const form = useForm({ resolver: zodResolver(Credentials), defaultValues: { email: "", password: "" } });
  const { errors } = form.formState;
  const unconfirmed = signIn.error && refusalKey(signIn.error) === "notConfirmed" ? signIn.variables.email : undefined;
  return (
    <Form
      onSubmit={form.handleSubmit((credentials) => signIn.mutate({ ...credentials, captcha }))}
      error={texts.refusal(confirm.error ?? signIn.error)}
    >
      {unconfirmed !== undefined && (
        <Button
          variant="quiet"
          onClick={() =>
            !confirm.isPending && confirm.mutate({ email: unconfirmed, captcha }, { onSuccess: onUnconfirmed })
          }
        >
          {t("login.confirmAgain")}
        </Button>
      )}
      <TextField
        label={t("email")}
        type="email"
        autoComplete="username"
        error={texts.problem(errors.email)}
        {...form.register("email")}
      />
      <PasswordField
        autoComplete="current-password"
        error={texts.problem(errors.password)}
        {...form.register("password")}
      />
      <SubmitButton busy={signIn.isPending}>{t("login.submit")}</SubmitButton>
      {widget}
    </Form>
  );
}
