import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code, Phone } from "../../../../shared/account.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CodeField } from "../CodeField.tsx";
import { EditRow } from "./EditRow.tsx";
import { useChangePhone, useConfirmPhone } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** The person's phone number, confirmed by a code from a text message. */
export function PhoneRow({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const [open, setOpen] = useState(false);
  const [phone, setAsked] = useState<string>();
  const close = () => {
    setOpen(false);
    setAsked(undefined);
    toast({ title: t("phone.saved"), tone: "success" });
  };
  return (
    <EditRow
      label={t("phone.label")}
      value={user.phone ? `+${user.phone}` : t("none")}
      change={user.phone ? t("change") : t("add")}
      open={open}
      onOpenChange={setOpen}
    >
      {phone === undefined ? <PhoneForm onAsked={setAsked} /> : <PhoneCode phone={phone} onConfirmed={close} />}
    </EditRow>
  );
}

function PhoneForm({ onAsked }: { onAsked: (phone: string) => void }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const change = useChangePhone();
  const form = useForm({ resolver: zodResolver(Phone), defaultValues: { phone: "" } });
  return (
    <Form
      onSubmit={form.handleSubmit(({ phone }) => change.mutate(phone, { onSuccess: () => onAsked(phone) }))}
      error={texts.failure(change.error)}
    >
      <TextField
        label={t("phone.new")}
        hint={t("phone.hint")}
        type="tel"
        autoComplete="tel"
        error={texts.problem(form.formState.errors.phone)}
        {...form.register("phone")}
      />
      <SubmitButton size="medium" busy={change.isPending}>
        {t("phone.submit")}
      </SubmitButton>
    </Form>
  );
}

function PhoneCode({ phone, onConfirmed }: { phone: string; onConfirmed: () => void }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const confirm = useConfirmPhone();
  const form = useForm({ resolver: zodResolver(Code), defaultValues: { code: "" } });
  return (
    <Form
      onSubmit={form.handleSubmit(({ code }) => confirm.mutate({ phone, code }, { onSuccess: onConfirmed }))}
      error={texts.failure(confirm.error)}
    >
      <CodeField
        autoFocus
        hint={t("phone.sent", { phone })}
        error={texts.problem(form.formState.errors.code)}
        {...form.register("code")}
      />
      <SubmitButton size="medium" busy={confirm.isPending}>
        {t("phone.confirm")}
      </SubmitButton>
    </Form>
  );
}
