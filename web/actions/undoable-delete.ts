import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { queryKeys } from "../data/query-keys.ts";
import type { Deletions } from "../lib/request/deletions.ts";
import { refresh } from "../lib/request/refresh.ts";
import { toast } from "../ui/toasts.tsx";

interface DeletionTexts {
  done: string;
  /** The toast's text. The default says that deleted items can be restored for 30 days. */
  doneText?: string | undefined;
  undo: string;
  failed: string;
  failedText: string;
}

/** Returns a function that deletes items with an undo in the toast. `keys` are the queries to reload afterwards. */
export function useUndoableDelete<Item extends { id: string }>(deletions: Deletions<Item>) {
  const { t } = useTranslation("undo");
  const cache = useQueryClient();
  return useCallback(
    (items: readonly Item[], texts: DeletionTexts, keys: readonly QueryKey[]) => {
      const readAgain = () => refresh(cache, ...keys, queryKeys.trash());
      const failed = () => toast({ title: texts.failed, description: texts.failedText, tone: "problem" });
      const undo = async () => {
        try {
          await deletions.restore(items);
        } catch {
          toast({ title: t("restoreFailed"), description: t("restoreFailedText"), tone: "problem" });
        }
        void readAgain();
      };
      const finish = async () => {
        await deletions.finish?.(items).catch(failed);
        await readAgain();
        deletions.release?.(items);
      };
      const keptText = deletions.finish ? undefined : t("kept");
      toast({
        title: texts.done,
        description: "doneText" in texts ? texts.doneText : keptText,
        action: { label: texts.undo, onSelect: () => void undo() },
        ...(deletions.finish && { onClosed: () => void finish() }),
      });
      const removal = deletions.remove(items).catch(failed);
      if (!deletions.finish) void removal.then(readAgain);
    },
    [deletions, t, cache],
  );
}
