import type { SupabaseClient } from "@supabase/supabase-js";
import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../lib/delayed-deletions.ts";
import { useGuest } from "../../lib/guest.ts";
import { hasStoredSession } from "../../lib/stored-session.ts";
import { toast } from "../../ui/toasts.tsx";

/** By whom a guest's comments are taken back: nobody else can. */
const guests = new Map<string, SupabaseClient>();
let afterFailure = () => {};

const deletions = new DelayedDeletions({
  key: "skies-comment-deletions",
  async remove(ids) {
    // As the person themselves, also where they came by a link: what one has said one can always take back.
    const { supabase } = await import("../../lib/supabase.ts");
    for (const comment_id of ids) {
      const { error, status } = await (guests.get(comment_id) ?? supabase).rpc("withdraw_comment", { comment_id });
      if (error && status !== 404) throw new Error("Failed to delete comment", { cause: error });
    }
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

// Leaving the page closes the way back. Where the browser cuts this off, the next page finishes it.
window.addEventListener("pagehide", () => void deletions.finish());
if (hasStoredSession()) void deletions.finish();

/** Whether a comment was deleted a moment ago and is not to be shown. */
export function useIsDeleted(): (id: string) => boolean {
  const hidden = useSyncExternalStore(deletions.subscribe, deletions.snapshot);
  return useCallback((id) => hidden.has(id), [hidden]);
}

/** Deletes a comment, with a way back for as long as the toast is there. */
export function useDeleteComment(cache: QueryClient, client: SupabaseClient) {
  const { t } = useTranslation("comments");
  const { guest } = useGuest();
  return (id: string) => {
    if (guest) guests.set(id, client);
    afterFailure = () => toast({ title: t("delete.failed"), description: t("delete.failedText"), tone: "problem" });
    deletions.begin(id);
    toast({
      title: t("delete.done"),
      action: { label: t("delete.undo"), onSelect: () => deletions.undo(id) },
      onClosed: () => void deletions.finish(id).then(() => cache.invalidateQueries({ queryKey: ["comments"] })),
    });
  };
}
