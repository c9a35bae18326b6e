import { useInfiniteQuery } from "@tanstack/react-query";
import { Ellipsis, Mail, Send, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../i18n/languages.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useInvitationEmails } from "./emails/use-invitation-emails.ts";
import {
  type Invitation,
  invitationsQuery,
  useIsBeingSent,
  useMailInvitation,
  useWithdraw,
  whileBeingSent,
} from "./invitations.queries.ts";
import type { PeopleContext } from "./people.queries.ts";
import { useSendResult } from "./use-send-result.ts";

/** Renders a memory's open invitations, or nothing if there are none. */
export function OpenInvitations({ memory }: Pick<PeopleContext, "memory">) {
  const { t } = useTranslation("people");
  const invitations = useInfiniteQuery(invitationsQuery(supabase, memory.id));
  if (invitations.isLoadingError) return <p role="alert">{t("invitations.failed")}</p>;
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
  const language = invitation.language ?? (i18n.language as Language);
  const role = t(`roles.${invitation.role}`);
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium" });
  const isBeingSent = useIsBeingSent(id);
  const write = (path: string) => emails.memory({ toEmail: email, note, memory, path, language });
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
