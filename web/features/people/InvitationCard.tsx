import { MailOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { delayedDeletions } from "../../actions/delayed-deletions.ts";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useStore } from "../../lib/browser/store.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { declineInvitations, type MyInvitation, useAccept } from "./invitations.queries.ts";

/** Renders an invitation to the signed-in person; opening the memory accepts it. `page`: it is the only content. */
export function InvitationCard({ invitation, page }: { invitation: MyInvitation; page?: boolean }) {
  const { t } = useTranslation("people");
  const navigate = useNavigate();
  const answer = useAccept(supabase);
  const decline = useDecline();
  const { inviter_name: inviter, person_name: name, role, note, memory_id } = invitation;
  const Title = page ? "h1" : "h3";

  const accept = () => {
    if (answer.isPending) return;
    // `mutate` callbacks do not run once the card has disappeared with the answer, so the promise is used.
    void answer.mutateAsync(invitation).then(
      (open) => {
        if (!open) toast({ title: t("mine.gone") });
        else navigate(paths.memory(memory_id));
      },
      () => toast({ title: t("mine.failed"), tone: "problem" }),
    );
  };
  return (
    <div className="grid gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6">
      <div className="flex items-start gap-4">
        <MailOpen aria-hidden className="mt-1 size-6 shrink-0 text-deep" />
        <div className="grid min-w-0 gap-1">
          <Title className="font-serif text-xl leading-snug wrap-anywhere">
            {inviter ? t("mine.invites", { inviter, name }) : t("mine.invited", { name })}
          </Title>
          <p className="text-ink-soft">{t(`mine.as.${role}`)}</p>
          {note && (
            <p dir="auto" className="pt-1 whitespace-pre-line wrap-anywhere">
              {note}
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button aria-busy={answer.isPending} onClick={accept}>
          {t("mine.open")}
        </Button>
        <Button variant="quiet" onClick={() => decline(invitation)}>
          {t("mine.decline")}
        </Button>
      </div>
    </div>
  );
}

const declines = delayedDeletions("skies-declined-invitations", (ids) => declineInvitations(supabase, ids));

/** Returns the ids of invitations that the person has just declined, which can still be undone. */
export const useDeclined = () => useStore(declines.hidden);

/** Returns a function that declines an invitation with an undo in the toast. */
function useDecline() {
  const { t } = useTranslation("people");
  const decline = useUndoableDelete(declines);
  return ({ id }: MyInvitation) =>
    decline([{ id }], { done: t("mine.declined"), undo: t("mine.undo"), failed: t("mine.failed"), failedText: "" }, [
      queryKeys.myInvitations(),
    ]);
}
