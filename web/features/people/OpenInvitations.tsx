import { useInfiniteQuery } from "@tanstack/react-query";
import { Ellipsis, Mail, Send, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useInvitationEmails } from "./emails/use-invitation-emails.ts";
import { type Invitation, invitationsQuery, useMailInvitation, useWithdraw } from "./invitations.queries.ts";
import type { PeopleContext } from "./people-context.ts";
import { useSendResult } from "./use-send-result.ts";

/** Who is invited to a memory and has not answered; nothing where nobody is. */
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
  const letters = useInvitationEmails();
  const { sent, notSent } = useSendResult();
  const mail = useMailInvitation(supabase, memory.id);
  const withdraw = useWithdraw(supabase, memory.id);
  const { id, email, note, sent_at } = invitation;
  const role = t(`roles.${invitation.role}`);
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium" });
  const write = (path: string) => letters.memory({ toEmail: email, note, memory, path });
  return (
    <li className="flex min-h-14 items-center gap-3">
      <span aria-hidden className="grid size-11 shrink-0 place-content-center rounded-full bg-sunken text-ink-soft">
        <Mail className="size-5" />
      </span>
      <div className="min-w-0 grow">
        <p className="font-semibold wrap-anywhere">{email}</p>
        <p className="text-sm text-ink-soft">
          {sent_at
            ? t("invitations.state", { role, date: day.format(new Date(sent_at)) })
            : t("invitations.notSent", { role })}
        </p>
      </div>
      <Menu
        trigger={
          <IconButton label={t("invitations.menu", { email })}>
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        }
      >
        <MenuItem
          disabled={mail.isPending}
          onSelect={() => mail.mutateAsync({ id, write }).then((result) => sent(result, email), notSent)}
        >
          <Send aria-hidden className="size-5" />
          {t("invitations.resend")}
        </MenuItem>
        <MenuItem
          tone="danger"
          disabled={withdraw.isPending}
          onSelect={() =>
            withdraw.mutateAsync(id).then(
              () => toast({ title: t("invitations.withdrawn", { email }) }),
              () => toast({ title: t("invitations.withdrawFailed"), tone: "problem" }),
            )
          }
        >
          <X aria-hidden className="size-5" />
          {t("invitations.withdraw")}
        </MenuItem>
      </Menu>
    </li>
  );
}
