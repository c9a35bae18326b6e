import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../lib/request/delayed-deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";
import { type MemoryPerson, peopleQuery, removePerson } from "./people.queries.ts";

let afterFailure = () => {};

const removals = new DelayedDeletions({
  key: "skies-removals",
  async remove(names) {
    for (const name of names) {
      const [memoryId = "", userId = ""] = name.split("/");
      await removePerson(supabase, memoryId, userId);
    }
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

// Leaving the page closes the way back. Where the browser cuts this off, the next page finishes it.
window.addEventListener("pagehide", () => void removals.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void removals.finish();
});

const nameOf = (memoryId: string, { id }: Pick<MemoryPerson, "id">) => `${memoryId}/${id}`;

/** Removes people from a memory, with a way back while the toast is there; `isRemoved` says who is not to be shown. */
export function useRemovals(memoryId: string) {
  const { t } = useTranslation("people");
  const cache = useQueryClient();
  const hidden = useSyncExternalStore(removals.subscribe, removals.snapshot);
  return {
    isRemoved: (person: MemoryPerson) => hidden.has(nameOf(memoryId, person)),
    remove(person: MemoryPerson) {
      const name = nameOf(memoryId, person);
      const shown = person.name || t("noName");
      afterFailure = () =>
        toast({
          title: t("person.removeFailed", { name: shown }),
          description: t("person.unchanged"),
          tone: "problem",
        });
      removals.begin(name);
      toast({
        title: t("person.removed", { name: shown }),
        action: { label: t("person.undo"), onSelect: () => removals.undo(name) },
        onClosed: async () => {
          await removals.finish(name);
          await cache.invalidateQueries({ queryKey: peopleQuery(supabase, memoryId).queryKey });
          // Who was removed may be invited again.
          removals.release(name);
        },
      });
    },
  };
}
