import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { DoorOpen } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { delayedDeletions } from "../../actions/delayed-deletions.ts";
import { useUnblock } from "../../actions/moderation.ts";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { useAvatars } from "../../data/avatars.queries.ts";
import { blocksQuery } from "../../data/moderation.queries.ts";
import { useStore } from "../../lib/browser/store.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/Dialog.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { OpenInvitations } from "./Invitations.tsx";
import { InviteForm } from "./InviteForm.tsx";
import { PersonRow } from "./PersonRow.tsx";
import {
  handoverQuery,
  MEMBER_ROLES,
  type MemoryPerson,
  type PeopleContext,
  peopleQuery,
  removePerson,
  useLeave,
  usePeopleLive,
} from "./people.queries.ts";

/** Renders the dialog with a memory's people. */
export default function PeopleDialog({ memory, rights, onClose }: PeopleContext & { onClose: () => void }) {
  const { t } = useTranslation("people");
  return (
    <Dialog title={t("title")} description={t("text", { name: memory.person_name })} open onOpenChange={onClose}>
      <PeoplePanel memory={memory} rights={rights} />
    </Dialog>
  );
}

/** Renders a memory's members and invitations with the actions that the reader's rights allow. */
function PeoplePanel({ memory, rights }: PeopleContext) {
  const { t } = useTranslation("people");
  const { id: userId } = useUser();
  usePeopleLive(supabase, memory.id);
  const people = useInfiniteQuery(peopleQuery(supabase, memory.id));
  const offered = useQuery(handoverQuery(supabase, memory.id));
  const { isRemoved, remove } = useRemovals(memory.id);
  const ids = useMemo(() => (people.data ?? []).map(({ id }) => id), [people.data]);
  const avatars = useAvatars(supabase, `people-${memory.id}`, ids);
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
              picture={avatars[person.id]}
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
      {rights.manage && (
        <section aria-labelledby="invite-title" className="border-t border-line pt-6">
          <h3 id="invite-title" className="pb-4 font-serif text-xl">
            {t("invite.title")}
          </h3>
          <InviteForm memory={memory} own={rights.delete} />
        </section>
      )}
      {isMember && <LeaveMemory memory={memory} />}
    </div>
  );
}

/** Renders a memory's blocked people with buttons to unblock them, or nothing if there are none. */
function BlockedPeople({ memory }: Pick<PeopleContext, "memory">) {
  const { t } = useTranslation("moderation");
  const blocks = useQuery(blocksQuery(supabase, memory.id));
  const unblock = useUnblock(supabase, memory.id);
  if (!blocks.data?.length) return null;
  return (
    <section aria-labelledby="blocked-title" className="border-t border-line pt-6">
      <h3 id="blocked-title" className="pb-2 font-serif text-xl">
        {t("blockedTitle")}
      </h3>
      <p className="pb-2 text-sm text-ink-soft">{t("blockedText")}</p>
      <ul className="grid gap-1">
        {blocks.data.map((block) => (
          <li key={block.id} className="flex min-h-14 flex-wrap items-center justify-between gap-3">
            <span dir="auto" className="min-w-0 font-semibold wrap-anywhere">
              {block.name || t("someone")}
            </span>
            <Button
              size="small"
              variant="quiet"
              aria-label={t("unblock", { name: block.name || t("someone") })}
              onClick={() => void unblock(block)}
            >
              {t("unblockShort")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Renders the button to leave a memory. There is no undo, so the dialog lists the consequences. */
function LeaveMemory({ memory }: { memory: { id: string; person_name: string } }) {
  const { t } = useTranslation("people");
  const navigate = useNavigate();
  const { id: userId } = useUser();
  const [asking, setAsking] = useState(false);
  const name = memory.person_name;
  const leave = useLeave(supabase, memory.id, () => {
    toast({ title: t("leave.done", { name }) });
    navigate(paths.start(), { replace: true });
  });
  return (
    <div className="border-t border-line pt-5">
      <Button icon={DoorOpen} variant="quiet" size="small" onClick={() => setAsking(true)}>
        {t("leave.action")}
      </Button>
      <ConfirmDialog
        title={t("leave.title", { name })}
        description={t("leave.text")}
        open={asking}
        onOpenChange={setAsking}
        confirm={t("leave.confirm")}
        cancel={t("leave.cancel")}
        busy={leave.isPending}
        failure={leave.isError && t("leave.failed")}
        onConfirm={() => leave.mutate(userId)}
      />
    </div>
  );
}

const removals = delayedDeletions("skies-removals", async (ids) => {
  for (const id of ids) {
    const [memoryId = "", userId = ""] = id.split("/");
    await removePerson(supabase, memoryId, userId);
  }
});

const idOf = (memoryId: string, { id }: Pick<MemoryPerson, "id">) => `${memoryId}/${id}`;

/** Returns `remove`, which removes a person from a memory with an undo in the toast, and `isRemoved` to hide them. */
function useRemovals(memoryId: string) {
  const { t } = useTranslation("people");
  const hidden = useStore(removals.hidden);
  const remove = useUndoableDelete(removals);
  return {
    isRemoved: (person: MemoryPerson) => hidden.has(idOf(memoryId, person)),
    remove(person: MemoryPerson) {
      const name = person.name || t("noName");
      remove(
        [{ id: idOf(memoryId, person) }],
        {
          done: t("person.removed", { name }),
          undo: t("person.undo"),
          failed: t("person.removeFailed", { name }),
          failedText: t("person.unchanged"),
        },
        [peopleQuery(supabase, memoryId).queryKey],
      );
    },
  };
}
