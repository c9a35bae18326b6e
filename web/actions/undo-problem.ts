import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { EditConflict, NotUndone } from "../data/save-over.ts";
import { toast } from "../ui/toasts.tsx";

/**
 * Returns a function that says why an undo failed: somebody else has changed the same thing since, or else what `failed`
 * says.
 */
export function useUndoProblem() {
  const { t } = useTranslation("conflict");
  return useCallback(
    (error: unknown, failed: () => void) => {
      if (error instanceof NotUndone || error instanceof EditConflict)
        toast({ title: t("notUndone"), description: t("notUndoneText") });
      else failed();
    },
    [t],
  );
}
