import { InvitationsToMe, usePendingInvitations } from "../../features/people/InvitationsToMe.tsx";
import { InviteToSkies } from "../../features/people/InviteToSkies.tsx";
import { Loading } from "../../ui/Loading.tsx";
import MemoriesList from "./MemoriesList.tsx";

/** "/", signed in: what waits for an answer, the person's memories, and the way to invite somebody. */
export default function MemberStart() {
  const { settled, ...asked } = usePendingInvitations();
  return (
    <>
      {!settled && <Loading full />}
      {/* Already loading while it cannot be seen: what is asked never pushes down what is being looked at. */}
      <div hidden={!settled}>
        <InvitationsToMe {...asked} />
        <MemoriesList />
        <div className="page-width flex justify-center pb-12">
          <InviteToSkies />
        </div>
      </div>
    </>
  );
}
