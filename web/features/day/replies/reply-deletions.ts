import { useTranslation } from "react-i18next";
import { delayedDeletions } from "../../../actions/delayed-deletions.ts";
import { useUndoableDelete } from "../../../actions/undoable-delete.ts";
import type { DayReply } from "../../../data/day-replies.queries.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useStore } from "../../../lib/browser/store.ts";
import { supabase } from "../../../lib/request/supabase.ts";

/** The reply is gone: its guest or another manager deleted it before. */
const GONE = "reply_gone";

const deletions = delayedDeletions("skies-reply-deletions", async (ids) => {
  for (const reply_id of ids) {
    const { error } = await supabase.rpc("delete_day_reply", { reply_id });
    if (error && error.hint !== GONE) throw new Error("Failed to delete the reply", { cause: error });
  }
});

/** Returns the ids of recently deleted replies, which must be hidden. */
export const useHiddenReplies = () => useStore(deletions.hidden);

/** Returns a function that deletes a reply, with an undo in the toast. Its places are given away after that. */
export function useDeleteReply(memoryId: string) {
  const { t } = useTranslation("dayReplies");
  const remove = useUndoableDelete(deletions);
  return ({ id, names: [name = ""] }: DayReply) =>
    remove(
      [{ id }],
      {
        done: t("host.removed", { name }),
        undo: t("host.undo"),
        failed: t("host.removeFailed"),
        failedText: t("host.removeFailedText"),
      },
      [queryKeys.dayReplies(memoryId)],
    );
}
