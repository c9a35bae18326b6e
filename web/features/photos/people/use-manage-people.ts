import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import type { PersonEntry } from "../../../data/pictured.queries.ts";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { EditConflict, NotUndone } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { toast } from "../../../ui/toasts.tsx";

/** What of a person can be edited. */
export type PersonValues = Pick<PersonEntry, "name" | "other_names" | "born_year" | "died_year">;

interface Change {
  id: string;
  values: Partial<PersonValues & { merged_into: string | null; deleted: boolean; revision: number }>;
  /** The value that the entry must still be merged into: an undo keeps what others have changed since. */
  mergedInto?: string | null;
}

/** Returns functions that edit, merge, split and delete people of a memory's photos, with an undo in the toast. */
export function useManagePeople(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("pictured");
  const cache = useQueryClient();
  const undoFailed = useUndoProblem();
  // Promises, because a person who is merged or deleted takes this hook's component along.
  const { mutateAsync } = useMutation({
    scope: { id: `names-${memoryId}` },
    mutationFn: async ({ id, values, mergedInto }: Change) => {
      const update = client.from("pictured_people").update(values).eq("id", id);
      const checked =
        mergedInto === undefined
          ? update
          : mergedInto === null
            ? update.is("merged_into", null)
            : update.eq("merged_into", mergedInto);
      const rows = await checked.select("id").then(unwrap("Failed to change a person"));
      if (rows.length === 0) throw new NotUndone();
    },
    onSettled: () => refresh(cache, queryKeys.picturedPeople(memoryId), queryKeys.mediaNames(memoryId)),
  });
  const failed = () => toast({ title: t("person.failed"), description: t("failedText"), tone: "problem" });
  const withUndo = (change: Change, title: string, undo: Change) => {
    const onError = (error: unknown) => undoFailed(error, failed);
    const onSelect = () => void mutateAsync(undo).catch(onError);
    mutateAsync(change).then(() => toast({ title, tone: "success", action: { label: t("undo"), onSelect } }), onError);
  };

  return {
    edit: ({ id, revision }: PicturedPerson, values: PersonValues) =>
      void mutateAsync({ id, values: { ...values, revision } }).catch((error: unknown) =>
        undoFailed(isConflict(error) ? new NotUndone() : error, failed),
      ),
    merge: (person: PicturedPerson, into: Pick<PicturedPerson, "id" | "name">) =>
      withUndo(
        { id: person.id, values: { merged_into: into.id }, mergedInto: null },
        t("person.merged", { name: person.name, other: into.name }),
        { id: person.id, values: { merged_into: null }, mergedInto: into.id },
      ),
    split: ({ id, name, into }: { id: string; name: string; into: string }) =>
      withUndo({ id, values: { merged_into: null }, mergedInto: into }, t("person.isSplit", { name }), {
        id,
        values: { merged_into: into },
        mergedInto: null,
      }),
    remove: ({ id, name }: PicturedPerson) =>
      withUndo({ id, values: { deleted: true } }, t("person.deleted", { name }), { id, values: { deleted: false } }),
  };
}

const isConflict = (error: unknown) =>
  error instanceof EditConflict || ((error as Error).cause as { code?: string } | undefined)?.code === "PT409";
