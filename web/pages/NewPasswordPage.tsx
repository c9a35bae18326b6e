import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { NewPassword } from "../../shared/account.ts";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { useChoosePassword } from "../features/account/account.queries.ts";
import { PasswordField } from "../features/account/PasswordField.tsx";
import { SecondFactor } from "../features/account/SecondFactor.tsx";
import { useAccountTexts } from "../features/account/use-account-texts.ts";
import { takeRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Form, SubmitButton } from "../ui/Form.tsx";
import { Loading } from "../ui/Loading.tsx";
import { toast } from "../ui/toasts.tsx";

/** /new-password: sets a new password after a sign-in by an emailed link or code. */
export default function NewPasswordPage() {
  const { t } = useTranslation("account");
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  if (session.state === "signed in") return <ChoosePassword email={session.user.email} />;
  if (session.halfway) return <SecondFactor />;
  return (
    <AccountShell title={t("newPassword.closedTitle")} text={<p>{t("newPassword.closedText")}</p>}>
      <Button asChild className="justify-self-start">
        <Link to={paths.forgottenPassword()}>{t("newPassword.closedAgain")}</Link>
      </Button>
    </AccountShell>
  );
}

function ChoosePassword({ email }: { email: string }) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const navigate = useNavigate();
  const choose = useChoosePassword();
  const form = useForm({ resolver: zodResolver(NewPassword), defaultValues: { password: "" } });
  const save = form.handleSubmit(({ password }) =>
    choose.mutate(password, {
      onSuccess: () => {
        toast({ title: t("newPassword.done"), tone: "success" });
        navigate(takeRedirect() ?? paths.start(), { replace: true });
      },
    }),
  );
  return (
    <AccountShell title={t("newPassword.title")} text={<p>{t("newPassword.text")}</p>}>
      <Form onSubmit={save} error={texts.refusal(choose.error)}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t("newPassword.label")}
          autoComplete="new-password"
          hint={t("register.passwordHint")}
          error={texts.problem(form.formState.errors.password)}
          {...form.register("password")}
        />
        <SubmitButton busy={choose.isPending}>{t("newPassword.submit")}</SubmitButton>
      </Form>
    </AccountShell>
  );
}
