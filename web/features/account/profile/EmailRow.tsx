import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Address } from "../../../../shared/account.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { EditRow } from "./EditRow.tsx";
import { useChangeEmail, useResendEmailChange } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** The person's email address. A change takes effect after both addresses have confirmed it. */
export function EmailRow({ user }: { user: User }) {
  const { t } = useTranslation(["profile", "account"]);
  const [open, setOpen] = useState(false);
  return (
    <EditRow
      label={t("account:email")}
      value={user.email || t("none")}
      change={t("change")}
      open={open}
      onOpenChange={setOpen}
      note={user.new_email && <Pending current={user.email ?? user.new_email} newEmail={user.new_email} />}
    >
      <EmailForm onAsked={() => setOpen(false)} />
    </EditRow>
  );
}

function EmailForm({ onAsked }: { onAsked: () => void }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const change = useChangeEmail();
  const form = useForm({ resolver: zodResolver(Address), defaultValues: { email: "" } });
  return (
    <Form
      onSubmit={form.handleSubmit(({ email }) => change.mutate(email, { onSuccess: onAsked }))}
      error={texts.failure(change.error)}
    >
      <TextField
        label={t("email.new")}
        hint={t("email.hint")}
        type="email"
        autoComplete="email"
        error={texts.problem(form.formState.errors.email)}
        {...form.register("email")}
      />
      <SubmitButton size="medium" busy={change.isPending}>
        {t("email.submit")}
      </SubmitButton>
    </Form>
  );
}

function Pending({ current, newEmail }: { current: string; newEmail: string }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const again = useResendEmailChange();
  const message = again.error ? texts.failure(again.error)?.message : again.isSuccess && t("email.sentAgain");
  return (
    <div className="grid justify-items-start gap-2 rounded-2xl bg-wash p-5">
      <p>{t("email.pending", { email: newEmail })}</p>
      <Button size="small" variant="plain" className="-ms-4" onClick={() => !again.isPending && again.mutate(current)}>
        {t("email.again")}
      </Button>
      <p role="status" className="text-ink-soft empty:hidden">
        {message}
      </p>
    </div>
  );
}
