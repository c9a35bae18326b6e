import { useTranslation } from "react-i18next";
import { delayedDeletions } from "../../actions/delayed-deletions.ts";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { useStore } from "../../lib/browser/store.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { type MemoryPerson, peopleQuery, removePerson } from "./people.queries.ts";

const removals = delayedDeletions("skies-removals", async (ids) => {
  for (const id of ids) {
    const [memoryId = "", userId = ""] = id.split("/");
    await removePerson(supabase, memoryId, userId);
  }
});

const idOf = (memoryId: string, { id }: Pick<MemoryPerson, "id">) => `${memoryId}/${id}`;

/** Removes people from a memory, with a way back while the toast is there; `isRemoved` says who is not to be shown. */
export function useRemovals(memoryId: string) {
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
