import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { memoriesQuery, sharedMemoriesQuery } from "../../data/memories.queries.ts";
import { InvitationsToMe, usePendingInvitations } from "../../features/people/InvitationsToMe.tsx";
import { InviteToSkies } from "../../features/people/InviteToSkies.tsx";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { InstallLine } from "../../ui/InstallLine.tsx";
import { Loading } from "../../ui/Loading.tsx";
import MemoriesList from "./MemoriesList.tsx";

/** `/` for signed-in people: pending invitations and offers, the person's memories, and a button to invite others. */
export default function MemberStart() {
  const { t } = useTranslation("install");
  const { settled, ...invitations } = usePendingInvitations();
  // Content below the list is rendered after the list has loaded, because the list would shift it.
  const userId = useUser().id;
  const shared = useQuery(sharedMemoriesQuery(supabase, userId));
  const ready = settled && !shared.isPending;
  const { isPending, data } = useInfiniteQuery(memoriesQuery(supabase, userId, { find: "" }));
  return (
    <>
      {!ready && <Loading full />}
      {/* The list loads while hidden, so that pending invitations do not shift the visible list. */}
      <div hidden={!ready}>
        <InvitationsToMe {...invitations} />
        <MemoriesList shared={shared.data} />
        {!isPending && (
          <div className="page-width grid justify-items-center gap-8 pb-12">
            {(data?.length ?? 0) > 0 && <InstallLine page="app" text={t("app")} />}
            <InviteToSkies />
          </div>
        )}
      </div>
    </>
  );
}
