import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { memoriesQuery, sharedMemoriesQuery } from "../../data/memories.queries.ts";
import { InvitationsToMe, usePendingInvitations } from "../../features/people/InvitationsToMe.tsx";
import { InviteToSkies } from "../../features/people/InviteToSkies.tsx";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Loading } from "../../ui/Loading.tsx";
import MemoriesList from "./MemoriesList.tsx";

/** "/", signed in: pending requests, the person's memories, and the invitation of others. */
export default function MemberStart() {
  const { settled, ...asked } = usePendingInvitations();
  // Content below the list waits for it. Otherwise the list would shift it.
  const userId = useUser().id;
  const shared = useQuery(sharedMemoriesQuery(supabase, userId));
  const ready = settled && !shared.isPending;
  const { isPending } = useInfiniteQuery(memoriesQuery(supabase, userId, { find: "" }));
  return (
    <>
      {!ready && <Loading full />}
      {/* Loads while hidden, so that pending requests do not shift the visible list. */}
      <div hidden={!ready}>
        <InvitationsToMe {...asked} />
        <MemoriesList shared={shared.data} />
        {!isPending && (
          <div className="page-width flex justify-center pb-12">
            <InviteToSkies />
          </div>
        )}
      </div>
    </>
  );
}
