import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { TrashDeletions } from "../../lib/request/deletions.ts";
import { useGuest } from "../../lib/session/guest.ts";

interface Deletable {
  id: string;
  /** The guest's client, because only guests can delete their own comments; undefined for signed-in people. */
  guest?: SupabaseClient | undefined;
}

const deletions = new TrashDeletions<Deletable>({
  kind: "comment",
  // Signed-in people use their own token even behind a link, because authors can always delete their comments.
  client: async ([comment]) => comment?.guest ?? (await import("../../lib/request/supabase.ts")).supabase,
  async remove(client, comments) {
    for (const { id } of comments) {
      const { error, status } = await client.rpc("withdraw_comment", { comment_id: id });
      if (error && status !== 404) throw new Error("Failed to delete comment", { cause: error });
    }
  },
});

/** Returns whether a comment was recently deleted and must be hidden. */
export function useIsDeleted(): (id: string) => boolean {
  const hidden = useStore(deletions.hidden);
  return useCallback((id) => hidden.has(id), [hidden]);
}

/** Moves a comment to the trash, with an undo in the toast. */
export function useDeleteComment(client: SupabaseClient) {
  const { t } = useTranslation("comments");
  const { guest } = useGuest();
  const remove = useUndoableDelete(deletions);
  return (id: string) =>
    remove(
      [{ id, guest: guest ? client : undefined }],
      {
        done: t("delete.done"),
        // Guests have no list of deleted comments.
        ...(guest ? { doneText: undefined } : {}),
        undo: t("delete.undo"),
        failed: t("delete.failed"),
        failedText: t("delete.failedText"),
      },
      [queryKeys.comments()],
    );
}
