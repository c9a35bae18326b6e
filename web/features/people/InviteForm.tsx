import type { ReactNode } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { languages } from "../../i18n/languages.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { NoteField } from "./NoteField.tsx";
import { MEMBER_ROLES, type PeopleContext } from "./people.queries.ts";
import { Recipients } from "./Recipients.tsx";
import { useInviting } from "./use-inviting.ts";

export interface InviteFormProps {
  memory: PeopleContext["memory"];
  /** Whether the reader is the owner: only the owner can invite co-owners. */
  own: boolean;
}

/** Renders the form that invites people by email, several at once. */
export function InviteForm({ memory, own }: InviteFormProps) {
  const { t } = useTranslation("people");
  const { form, recipients, remove, paste, submit, sending, failure } = useInviting(memory);
  const role = form.watch("role");
  const count = recipients.length;
  return (
    <Form onSubmit={submit} error={failure === undefined ? null : new Error(failure)}>
      <TextField
        label={t("invite.email")}
        hint={t("invite.emailHint")}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={form.formState.errors.email?.message}
        onPaste={paste}
        {...form.register("email", { onChange: () => form.clearErrors("email") })}
      />
      {count > 0 && <Recipients addresses={recipients} onRemove={remove} />}
      <p role="status" className="text-sm text-ink-soft wrap-anywhere empty:hidden">
        {sending.length > 0 && t("invite.sending", { list: sending.join(", ") })}
      </p>
      <Choice label={t("invite.role")} text={t(`roles.${role}Text`)}>
        <Controller
          name="role"
          control={form.control}
          render={({ field }) => (
            <SegmentedControl
              label={t("invite.role")}
              column="phones"
              value={field.value}
              onChange={field.onChange}
              options={MEMBER_ROLES.filter((one) => own || one !== "co-owner").map((one) => ({
                value: one,
                label: t(`roles.${one}`),
              }))}
            />
          )}
        />
      </Choice>
      <Choice label={t("invite.language")}>
        <Controller
          name="language"
          control={form.control}
          render={({ field }) => (
            <SegmentedControl
              label={t("invite.language")}
              value={field.value}
              onChange={field.onChange}
              options={languages.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
            />
          )}
        />
      </Choice>
      <NoteField {...form.register("note")} />
      <SubmitButton size="medium" className="justify-self-start" busy={sending.length > 0}>
        {count > 1 ? t("invite.submitMany", { count }) : t("invite.submit")}
      </SubmitButton>
    </Form>
  );
}

interface ChoiceProps {
  label: string;
  /** Explains the chosen option. */
  text?: string;
  children: ReactNode;
}

function Choice({ label, text, children }: ChoiceProps) {
  return (
    <div className="grid justify-items-start gap-2">
      <p aria-hidden className="font-semibold">
        {label}
      </p>
      {children}
      {text && <p className="text-sm text-ink-soft">{text}</p>}
    </div>
  );
}
