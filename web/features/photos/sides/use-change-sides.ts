import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { toast } from "../../../ui/toasts.tsx";
import { type ChangeOfSides, useSetSides } from "./sides.queries.ts";

/** Returns a function that pairs, swaps or separates fronts and backs, with toasts and an undo. */
export function useChangeSides(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("gallery");
  const { mutate } = useSetSides(client, memoryId);
  const undoFailed = useUndoProblem();
  return useCallback(
    (change: ChangeOfSides) => {
      const failed = (error: unknown) => {
        const refusal = error instanceof Error ? (error.cause as { hint?: string } | undefined) : undefined;
        const isRefused = refusal?.hint === "not_sides";
        toast({
          title: t(isRefused ? "sides.refused" : "sides.failed"),
          description: t(isRefused ? "sides.refusedText" : "sides.failedText"),
          tone: "problem",
        });
      };
      const undo = (back: ChangeOfSides) =>
        mutate(back, { onError: (error) => undoFailed(error, () => failed(error)) });
      mutate(change, {
        onError: failed,
        onSuccess: (back) =>
          toast({
            title:
              "pair" in change
                ? t("sides.paired", { count: change.pair.fronts.length })
                : t("swap" in change ? "sides.swapped" : "sides.separated"),
            tone: "success",
            action: { label: t("sides.undo"), onSelect: () => undo(back) },
          }),
      });
    },
    [t, mutate, undoFailed],
  );
}
