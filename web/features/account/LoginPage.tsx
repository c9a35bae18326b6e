import "../../i18n/words/account.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Credentials } from "../../../shared/account.ts";
import { paths } from "../../paths.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { AccountShell } from "./AccountShell.tsx";
import { useSignIn } from "./account.queries.ts";
import { PasswordField } from "./PasswordField.tsx";
import { useAccountTexts } from "./use-account-texts.ts";

/** /login */
export default function LoginPage() {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const signIn = useSignIn();
  const form = useForm({ resolver: zodResolver(Credentials), defaultValues: { email: "", password: "" } });
  const { errors } = form.formState;
  return (
    <AccountShell
      title={t("login.title")}
      text={t("login.text")}
      other={
        <>
          {t("login.other")} <Link to={paths.register()}>{t("login.register")}</Link>
        </>
      }
    >
      <Form
        onSubmit={form.handleSubmit((credentials) => signIn.mutate(credentials))}
        error={texts.refusal(signIn.error)}
      >
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
      </Form>
    </AccountShell>
  );
}
