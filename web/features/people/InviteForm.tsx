import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { addressProblem } from "./emails/send-invitation-email.ts";
import { useEmailFailure, useInvitationEmails } from "./emails/use-invitation-emails.ts";
import { AlreadyInvited, useMailInvitation, useMakeInvitation } from "./invitations.queries.ts";
import { InviteFields, NO_INVITE } from "./invite-fields.ts";
import { NoteField } from "./NoteField.tsx";
import { MEMBER_ROLES } from "./people.queries.ts";
import type { PeopleContext } from "./people-context.ts";
import { useSendResult } from "./use-send-result.ts";

interface InviteFormProps {
  memory: PeopleContext["memory"];
  /** Whether the one who invites is the owner, who alone invites to co-own. */
  own: boolean;
}

/** Invites somebody by email. The invitation is kept first: should its letter fail, it can be sent again. */
export function InviteForm({ memory, own }: InviteFormProps) {
  const { t } = useTranslation("people");
  const { email: inviterEmail } = useUser();
  const letters = useInvitationEmails();
  const failure = useEmailFailure();
  const { sent, notSent } = useSendResult();
  const make = useMakeInvitation(supabase, memory.id);
  const mail = useMailInvitation(supabase, memory.id);
  const form = useForm<InviteFields>({ resolver: zodResolver(InviteFields), defaultValues: NO_INVITE });
  const { email: emailError } = form.formState.errors;
  const role = form.watch("role");

  const invite = form.handleSubmit(async ({ email, role, note }) => {
    if (make.isPending || mail.isPending) return;
    const problem = addressProblem(email, inviterEmail);
    if (problem) return form.setError("email", { message: problem });
    const made = await make.mutateAsync({ email, role, note }).catch(() => undefined);
    if (!made) return;
    form.reset({ ...NO_INVITE, role });
    const write = (path: string) => letters.memory({ toEmail: made.email, note, memory, path });
    await mail.mutateAsync({ id: made.id, write }).then((result) => sent(result, made.email), notSent);
  });
  const refused = make.error instanceof AlreadyInvited ? t("invite.already") : t("invite.failed");

  return (
    <section aria-labelledby="invite-title" className="border-t border-line pt-6">
      <h3 id="invite-title" className="pb-4 font-serif text-xl">
        {t("invite.title")}
      </h3>
      <Form onSubmit={invite} error={make.isError ? new Error(refused) : null}>
        <TextField
          label={t("invite.email")}
          type="email"
          autoComplete="off"
          error={emailError && failure(new Error(emailError.message))}
          {...form.register("email")}
        />
        <div className="grid justify-items-start gap-2">
          <p aria-hidden className="font-semibold">
            {t("invite.role")}
          </p>
          <Controller
            name="role"
            control={form.control}
            render={({ field }) => (
              <SegmentedControl
                label={t("invite.role")}
                value={field.value}
                onChange={field.onChange}
                options={MEMBER_ROLES.filter((one) => own || one !== "co-owner").map((one) => ({
                  value: one,
                  label: t(`roles.${one}`),
                }))}
              />
            )}
          />
          <p className="text-sm text-ink-soft">{t(`roles.${role}Text`)}</p>
        </div>
        <NoteField {...form.register("note")} />
        <SubmitButton size="medium" className="justify-self-start" busy={make.isPending || mail.isPending}>
          {t("invite.submit")}
        </SubmitButton>
      </Form>
    </section>
  );
}
