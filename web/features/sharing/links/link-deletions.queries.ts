import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { DelayedDeletions } from "../../../lib/delayed-deletions.ts";
import { supabase } from "../../../lib/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";
import { type ShareLink, useChangeLink, useReadLinksAgain } from "./links.queries.ts";

let afterFailure = () => {};

// Kept back for a moment rather than made again: a link that is deleted can not come back under its address.
const deletions = new DelayedDeletions({
  key: "skies-link-deletions",
  remove: async (ids) => {
    const { error } = await supabase
      .from("share_links")
      .delete()
      .in("id", [...ids]);
    if (error) throw new Error("Failed to delete the link", { cause: error });
  },
  storage: localStorage,
  onFailed: () => afterFailure(),
});

window.addEventListener("pagehide", () => void deletions.finish());
supabase.auth.onAuthStateChange((event) => {
  if (event === "INITIAL_SESSION") void deletions.finish();
});

/** Ids of links that were deleted a moment ago and are not to be shown. */
export const useHiddenLinks = () => useSyncExternalStore(deletions.subscribe, deletions.snapshot);

/** Closes a link at once, and deletes it when the way back, which lasts as long as the toast, is over. */
export function useDeleteLink(link: ShareLink, name: string) {
  const { t } = useTranslation("sharing");
  const { mutate } = useChangeLink(supabase, link);
  const again = useReadLinksAgain();
  return useCallback(() => {
    const failed = () => toast({ title: t("change.failed"), description: t("change.failedText"), tone: "problem" });
    afterFailure = failed;
    mutate(
      { revoked_at: new Date().toISOString() },
      {
        onError: failed,
        onSuccess: () => {
          deletions.begin(link.id);
          toast({
            title: t("delete.done", { name }),
            description: t("delete.doneText"),
            action: {
              label: t("delete.undo"),
              onSelect: () => {
                deletions.undo(link.id);
                mutate({ revoked_at: link.revoked_at }, { onError: failed });
              },
            },
            onClosed: () => void deletions.finish(link.id).then(again),
          });
        },
      },
    );
  }, [t, mutate, again, link, name]);
}
