import { useInfiniteQuery } from "@tanstack/react-query";
import { memoriesQuery } from "../../data/memories.queries.ts";
import { InvitationsToMe, usePendingInvitations } from "../../features/people/InvitationsToMe.tsx";
import { InviteToSkies } from "../../features/people/InviteToSkies.tsx";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Loading } from "../../ui/Loading.tsx";
import MemoriesList from "./MemoriesList.tsx";

/** "/", signed in: what waits for an answer, the person's memories, and the way to invite somebody. */
export default function MemberStart() {
  const { settled, ...asked } = usePendingInvitations();
  // What is under the list comes after it, or the list would push it down.
  const { isPending } = useInfiniteQuery(memoriesQuery(supabase, useUser().id, { find: "" }));
  return (
    <>
      {!settled && <Loading full />}
      {/* Already loading while it cannot be seen: what is asked never pushes down what is being looked at. */}
      <div hidden={!settled}>
        <InvitationsToMe {...asked} />
        <MemoriesList />
        {!isPending && (
          <div className="page-width flex justify-center pb-12">
            <InviteToSkies />
          </div>
        )}
      </div>
    </>
  );
}
