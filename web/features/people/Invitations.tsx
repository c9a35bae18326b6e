import { zodResolver } from "@hookform/resolvers/zod";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Ellipsis, Mail, Send, X } from "lucide-react";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { typedAddress } from "../../../shared/typed-text.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { toast } from "../../ui/toasts.tsx";
import { addressProblem } from "./emails/send-invitation-email.ts";
import { useEmailFailure, useInvitationEmails } from "./emails/use-invitation-emails.ts";
import {
  AlreadyInvited,
  type Invitation,
  invitationsQuery,
  useIsBeingSent,
  useMailInvitation,
  useMakeInvitation,
  useWithdraw,
  whileBeingSent,
} from "./invitations.queries.ts";
import { InviteFields, NO_INVITE, NoteField } from "./NoteField.tsx";
import { MEMBER_ROLES, type PeopleContext } from "./people.queries.ts";
import { useSendResult } from "./use-send-result.ts";

interface InviteFormProps {
  memory: PeopleContext["memory"];
  /** Whether the reader is the owner: only the owner can invite co-owners. */
  own: boolean;
}

/** Renders the form that invites a person by email. The invitation is stored first, so a failed email can be resent. */
export function InviteForm({ memory, own }: InviteFormProps) {
  const { t } = useTranslation("people");
  const { email: inviterEmail } = useUser();
  const emails = useInvitationEmails();
  const failure = useEmailFailure();
  const { sent, notSent } = useSendResult();
  const make = useMakeInvitation(supabase, memory.id);
  const mail = useMailInvitation(supabase, memory.id);
  const form = useForm<InviteFields>({ resolver: zodResolver(InviteFields), defaultValues: NO_INVITE });
  const { email: emailError } = form.formState.errors;
  const role = form.watch("role");

  const invite = form.handleSubmit(async ({ email: typed, role, note }) => {
    const email = typedAddress(typed);
    if (make.isPending || mail.isPending) return;
    const problem = addressProblem(email, inviterEmail);
    if (problem) return form.setError("email", { message: problem });
    const id = crypto.randomUUID();
    await whileBeingSent(id, async () => {
      const made = await make.mutateAsync({ id, email, role, note }).catch(() => undefined);
      if (!made) return;
      form.reset({ ...NO_INVITE, role });
      const write = (path: string) => emails.memory({ toEmail: made.email, note, memory, path });
      await mail.mutateAsync({ id, write }).then((result) => sent(result, made.email), notSent);
    });
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

/** Renders a memory's open invitations, or nothing if there are none. */
export function OpenInvitations({ memory }: Pick<PeopleContext, "memory">) {
  const { t } = useTranslation("people");
  const invitations = useInfiniteQuery(invitationsQuery(supabase, memory.id));
  if (invitations.isError && !invitations.data) return <p role="alert">{t("invitations.failed")}</p>;
  if (!invitations.data?.length) return null;
  return (
    <section aria-labelledby="invited-title" className="border-t border-line pt-6">
      <h3 id="invited-title" className="pb-2 font-serif text-xl">
        {t("invitations.title")}
      </h3>
      <ul className="grid gap-1">
        {invitations.data.map((invitation) => (
          <InvitationRow key={invitation.id} memory={memory} invitation={invitation} />
        ))}
        <li className="empty:hidden">
          <LoadMore pages={invitations} />
        </li>
      </ul>
    </section>
  );
}

function InvitationRow({ memory, invitation }: Pick<PeopleContext, "memory"> & { invitation: Invitation }) {
  const { t, i18n } = useTranslation("people");
  const emails = useInvitationEmails();
  const { sent, notSent } = useSendResult();
  const mail = useMailInvitation(supabase, memory.id);
  const withdraw = useWithdraw(supabase, memory.id);
  const { id, email, note, sent_at } = invitation;
  const role = t(`roles.${invitation.role}`);
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium" });
  const isBeingSent = useIsBeingSent(id);
  const write = (path: string) => emails.memory({ toEmail: email, note, memory, path });
  const resend = () =>
    whileBeingSent(id, () => mail.mutateAsync({ id, write }).then((result) => sent(result, email), notSent));
  return (
    <li className="flex min-h-14 items-center gap-3">
      <span aria-hidden className="grid size-11 shrink-0 place-content-center rounded-full bg-sunken text-ink-soft">
        <Mail className="size-5" />
      </span>
      <div className="min-w-0 grow">
        <p className="font-semibold wrap-anywhere">{email}</p>
        <p className="text-sm text-ink-soft">
          {isBeingSent
            ? t("invitations.beingSent", { role })
            : sent_at
              ? t("invitations.state", { role, date: day.format(new Date(sent_at)) })
              : t("invitations.notConfirmed", { role })}
        </p>
      </div>
      <Menu trigger={<IconButton icon={Ellipsis} label={t("invitations.menu", { email })} />}>
        <MenuItem icon={Send} disabled={isBeingSent} onSelect={resend}>
          {t("invitations.resend")}
        </MenuItem>
        <MenuItem
          icon={X}
          tone="danger"
          disabled={withdraw.isPending}
          onSelect={() =>
            withdraw.mutateAsync(id).then(
              () => toast({ title: t("invitations.withdrawn", { email }) }),
              () => toast({ title: t("invitations.withdrawFailed"), tone: "problem" }),
            )
          }
        >
          {t("invitations.withdraw")}
        </MenuItem>
      </Menu>
    </li>
  );
}
