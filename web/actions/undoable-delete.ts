import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Deletions } from "../lib/request/deletions.ts";
import { toast } from "../ui/toasts.tsx";

interface DeletionTexts {
  done: string;
  /** What is said under it; by default that it can be restored for 30 days. */
  doneText?: string | undefined;
  undo: string;
  failed: string;
  failedText: string;
}

/** Deletes items and says so, with a way back in the toast. `keys` are of what is read again after it. */
export function useDeletion<Item extends { id: string }>(deletions: Deletions<Item>) {
  const { t } = useTranslation("common");
  const cache = useQueryClient();
  return useCallback(
    (items: readonly Item[], texts: DeletionTexts, keys: readonly QueryKey[]) => {
      const readAgain = () => {
        for (const queryKey of [...keys, ["trash"]]) void cache.invalidateQueries({ queryKey });
      };
      const undo = async () => {
        try {
          await deletions.restore(items);
        } catch {
          toast({ title: t("trash.restoreFailed"), description: t("trash.restoreFailedText"), tone: "problem" });
        }
        readAgain();
      };
      toast({
        title: texts.done,
        description: "doneText" in texts ? texts.doneText : t("trash.kept"),
        action: { label: texts.undo, onSelect: () => void undo() },
      });
      void deletions
        .remove(items)
        .catch(() => toast({ title: texts.failed, description: texts.failedText, tone: "problem" }))
        .finally(readAgain);
    },
    [deletions, t, cache],
  );
}
