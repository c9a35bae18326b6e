import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { checkOwnCopies } from "../../media/offline/check-copies.ts";
import { Loading } from "../../ui/Loading.tsx";
import { InvitationCard, useDeclined } from "./InvitationCard.tsx";
import { myInvitationsQuery } from "./invitations.queries.ts";

/** Renders `/memory/{id}` for people without access: their invitation, or `missing` without one. */
export default function InvitedOrMissing({ memoryId, missing }: { memoryId: string; missing: ReactNode }) {
  const { t } = useTranslation("people");
  const user = useUser();
  const invitations = useQuery(myInvitationsQuery(supabase, user.id));
  const declined = useDeclined();
  const invitation = invitations.data?.find(({ id, memory_id }) => memory_id === memoryId && !declined.has(id));
  usePageTitle(invitation ? t("mine.title") : "");
  // The right may have ended a moment ago.
  useEffect(() => {
    void checkOwnCopies(supabase, user.id).catch(() => {});
  }, [user.id]);
  if (invitations.isPending) return <Loading full />;
  if (!invitation) return missing;
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-12 sm:px-8 sm:py-20">
      <InvitationCard invitation={invitation} page />
    </div>
  );
}
