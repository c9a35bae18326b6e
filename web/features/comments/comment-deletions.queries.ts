import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useDeletion } from "../../actions/undoable-delete.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Deletions, restoreDeleted } from "../../lib/request/deletions.ts";
import { useGuest } from "../../lib/session/guest.ts";

interface Deletable {
  id: string;
  /** Of a guest, whose comments nobody else can delete; undefined for who is signed in. */
  guest?: SupabaseClient | undefined;
}

// As the person themselves, also where they came by a link: what one has said one can always take back.
const clientOf = async ({ guest }: Deletable) => guest ?? (await import("../../lib/request/supabase.ts")).supabase;

const deletions = new Deletions<Deletable>({
  async remove(comments) {
    for (const comment of comments) {
      const { error, status } = await (await clientOf(comment)).rpc("withdraw_comment", { comment_id: comment.id });
      if (error && status !== 404) throw new Error("Failed to delete comment", { cause: error });
    }
  },
  async restore(comments) {
    for (const comment of comments) {
      await restoreDeleted(await clientOf(comment), [{ kind: "comment", id: comment.id }]);
    }
  },
});

/** Whether a comment was deleted a moment ago and is not to be shown. */
export function useIsDeleted(): (id: string) => boolean {
  const hidden = useSyncExternalStore(deletions.subscribe, deletions.snapshot);
  return useCallback((id) => hidden.has(id), [hidden]);
}

/** Moves a comment to the trash, with a way back in the toast. */
export function useDeleteComment(client: SupabaseClient) {
  const { t } = useTranslation("comments");
  const { guest } = useGuest();
  const remove = useDeletion(deletions);
  return (id: string) =>
    remove(
      [{ id, guest: guest ? client : undefined }],
      {
        done: t("delete.done"),
        // A guest has no page of what they deleted.
        ...(guest ? { doneText: undefined } : {}),
        undo: t("delete.undo"),
        failed: t("delete.failed"),
        failedText: t("delete.failedText"),
      },
      [["comments"]],
    );
}
