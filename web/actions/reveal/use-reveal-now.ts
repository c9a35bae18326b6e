import { useTranslation } from "react-i18next";
import { RevealConflict, useChangeReveal } from "../../data/reveal.queries.ts";
import type { Reveal } from "../../data/reveal.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { toast } from "../../ui/toasts.tsx";

/** Returns a function that reveals everything at once, with undo: members are notified only some seconds later. */
export function useRevealNow(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("reveal");
  const { mutate, isPending } = useChangeReveal(client, memoryId);
  const onError = (error: Error) =>
    toast({
      title: t("failed"),
      description: error instanceof RevealConflict ? t("form.conflict") : t("unchanged"),
      tone: "problem",
    });
  const hideAgain = (stored: Reveal) =>
    mutate({ stored, revealed: false }, { onError, onSuccess: () => toast({ title: t("hiddenAgain") }) });
  const reveal = (stored: Reveal) =>
    mutate(
      { stored, revealed: true },
      {
        onError,
        onSuccess: () =>
          toast({
            title: t("revealed"),
            description: t("revealedText"),
            action: {
              label: t("undo"),
              onSelect: () => hideAgain({ ...stored, revealed: true, revision: stored.revision + 1 }),
            },
          }),
      },
    );
  return { reveal, isPending };
}
