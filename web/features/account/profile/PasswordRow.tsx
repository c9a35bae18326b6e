import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code, NewPassword } from "../../../../shared/account.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CodeField } from "../CodeField.tsx";
import { PasswordField } from "../PasswordField.tsx";
import { EditRow } from "./EditRow.tsx";
import { useAskForProof, useSavePassword } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** Changes the password; an older session also needs an emailed code. */
export function PasswordRow({ user }: { user: User }) {
  const { t } = useTranslation(["profile", "account"]);
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    toast({ title: t("password.saved"), tone: "success" });
  };
  return (
    <EditRow
      label={t("account:password")}
      value={t("password.hidden")}
      change={t("change")}
      open={open}
      onOpenChange={setOpen}
    >
      <PasswordForm email={user.email ?? ""} onSaved={close} />
    </EditRow>
  );
}

function PasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const { t } = useTranslation(["profile", "account"]);
  const texts = useProfileTexts();
  const save = useSavePassword();
  const proof = useAskForProof();
  const needsCode = proof.isSuccess;
  const schema = needsCode ? NewPassword.extend(Code.shape) : NewPassword.extend({ code: Code.shape.code.optional() });
  const form = useForm<{ password: string; code?: string }>({
    resolver: zodResolver(schema),
    defaultValues: { password: "" },
  });
  const { errors } = form.formState;
  const refused =
    save.error && "code" in save.error && save.error.code === "reauthentication_needed" ? null : save.error;
  const submit = form.handleSubmit(({ password, code }) =>
    save.mutate(
      { password, nonce: code },
      {
        onSuccess: onSaved,
        onError: (error) => "code" in error && error.code === "reauthentication_needed" && proof.mutate(),
      },
    ),
  );
  return (
    <Form onSubmit={submit} error={texts.failure(proof.error ?? refused)}>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("account:newPassword.label")}
        autoComplete="new-password"
        hint={t("password.hint")}
        error={texts.problem(errors.password)}
        {...form.register("password")}
      />
      {needsCode && (
        <CodeField
          hint={t("password.proof", { email })}
          error={texts.problem(errors.code)}
          {...form.register("code")}
        />
      )}
      <SubmitButton size="medium" busy={save.isPending || proof.isPending}>
        {t("save")}
      </SubmitButton>
    </Form>
  );
}
