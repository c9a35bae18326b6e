import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { BlockedPeople } from "./BlockedPeople.tsx";
import { InviteForm } from "./InviteForm.tsx";
import { LeaveMemory } from "./LeaveMemory.tsx";
import { OpenInvitations } from "./OpenInvitations.tsx";
import { PersonRow } from "./PersonRow.tsx";
import { handoverQuery, MEMBER_ROLES, peopleQuery, usePeopleLive } from "./people.queries.ts";
import type { PeopleContext } from "./people-context.ts";
import { useRemovals } from "./removals.queries.ts";

/** Who belongs to a memory and who is asked to, with everything that one may change of it. */
export function PeoplePanel({ memory, rights }: PeopleContext) {
  const { t } = useTranslation("people");
  const { id: userId } = useUser();
  usePeopleLive(supabase, memory.id);
  const people = useInfiniteQuery(peopleQuery(supabase, memory.id));
  const offered = useQuery(handoverQuery(supabase, memory.id));
  const { isRemoved, remove } = useRemovals(memory.id);
  if (people.isPending) return <Skeleton className="h-56" />;
  if (!people.data) return <Problem error={new Error(t("failed"))} retry={people.refetch} />;
  const isMember = MEMBER_ROLES.some((role) => role === rights.role);
  return (
    <div className="grid gap-7">
      <ul className="grid gap-1">
        {people.data
          .filter((person) => !isRemoved(person))
          .map((person) => (
            <PersonRow
              key={person.id}
              memory={memory}
              person={person}
              rights={rights}
              isMe={person.id === userId}
              isOffered={offered.data === person.id}
              offers={rights.delete && offered.isSuccess && offered.data === null}
              onRemove={() => remove(person)}
            />
          ))}
        <li className="empty:hidden">
          <LoadMore pages={people} />
        </li>
      </ul>
      {rights.manage && <OpenInvitations memory={memory} />}
      {rights.manage && <BlockedPeople memory={memory} />}
      {rights.manage && <InviteForm memory={memory} own={rights.delete} />}
      {isMember && <LeaveMemory memory={memory} />}
    </div>
  );
}
