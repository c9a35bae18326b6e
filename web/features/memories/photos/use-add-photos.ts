import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "../../../lib/session.ts";
import { toast } from "../../../ui/toasts.tsx";
import { uploads } from "../../media/uploads.queries.ts";

/** Puts files into the queue for a memory, and says so where some were there already. */
export function useAddPhotos(memoryId: string) {
  const { t } = useTranslation("media");
  const { id: userId } = useUser();
  return useCallback(
    async (files: File[], firstAsCover: boolean) => {
      const { known } = await uploads.add(userId, memoryId, files, firstAsCover);
      if (known > 0) toast({ title: t("known", { count: known }) });
    },
    [t, userId, memoryId],
  );
}
