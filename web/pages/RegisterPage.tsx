import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { Registration } from "../../shared/account.ts";
import { useBotCheck } from "../actions/bot-check/use-bot-check.tsx";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { useRegister } from "../features/account/account.queries.ts";
import { CheckInbox } from "../features/account/CheckInbox.tsx";
import { PasswordField } from "../features/account/PasswordField.tsx";
import { RedirectSignedIn } from "../features/account/RedirectSignedIn.tsx";
import { SocialButtons } from "../features/account/SocialButtons.tsx";
import { useAccountTexts } from "../features/account/use-account-texts.ts";
import { paths } from "../paths.ts";
import { Form, SubmitButton } from "../ui/Form.tsx";
import { TextField } from "../ui/TextField.tsx";

/** /register: registration. The parameter `?email=` of an invitation's link fills in the address. */
export default function RegisterPage() {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const register = useRegister();
  const { captcha, widget } = useBotCheck();
  const [query] = useSearchParams();
  const form = useForm({
    resolver: zodResolver(Registration),
    defaultValues: { fullName: "", email: query.get("email") ?? "", password: "" },
  });
  const { errors } = form.formState;
  const text = (
    <p>
      {t("register.text")} {t("register.other")} <Link to={paths.login()}>{t("register.login")}</Link>
    </p>
  );
  if (register.data?.confirmed === false) {
    return (
      <RedirectSignedIn>
        <CheckInbox email={register.data.email} purpose="signup" onBack={register.reset} />
      </RedirectSignedIn>
    );
  }
  return (
    <RedirectSignedIn>
      <AccountShell title={t("register.title")} text={text}>
        <Form
          onSubmit={form.handleSubmit((registration) => register.mutate({ ...registration, captcha }))}
          error={texts.refusal(register.error)}
        >
          <TextField
            label={t("fullName")}
            autoComplete="name"
            error={texts.problem(errors.fullName)}
            {...form.register("fullName")}
          />
          <TextField
            label={t("email")}
            type="email"
            autoComplete="username"
            error={texts.problem(errors.email)}
            {...form.register("email")}
          />
          <PasswordField
            autoComplete="new-password"
            hint={t("register.passwordHint")}
            error={texts.problem(errors.password)}
            {...form.register("password")}
          />
          <SubmitButton busy={register.isPending}>{t("register.submit")}</SubmitButton>
          {widget}
        </Form>
        <SocialButtons />
      </AccountShell>
    </RedirectSignedIn>
  );
}
