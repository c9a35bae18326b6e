import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../../shared/approximate-date.ts";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { toast } from "../../../ui/toasts.tsx";
import { datesFor, datesOf, useSetDates } from "../photos.queries.ts";

/** Returns a function that changes photos' dates, with an undo in the toast. */
export function useChangeDates(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("gallery");
  const undoFailed = useUndoProblem();
  const { mutate } = useSetDates(client, memoryId);
  return useCallback(
    (photos: readonly Photo[], date: ApproximateDate | null) => {
      const before = datesOf(photos);
      const onError = () => toast({ title: t("date.failed"), description: t("date.failedText"), tone: "problem" });
      const dates = datesFor(photos, date);
      const undo = () => mutate({ dates: before, expected: dates }, { onError: (error) => undoFailed(error, onError) });
      mutate(
        { dates },
        {
          onError,
          onSuccess: () =>
            toast({
              title: t("date.done", { count: photos.length }),
              tone: "success",
              action: { label: t("date.undo"), onSelect: undo },
            }),
        },
      );
    },
    [t, mutate, undoFailed],
  );
}
