import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { type MetalCardRow, useReleaseCard } from "./cards.queries.ts";

interface GiveAwayProps {
  card: MetalCardRow;
  userId: string;
  onClose: () => void;
}

/** Names what ends when a card is given away, and shows the secret that makes it somebody else's, once. */
export function GiveAway({ card, userId, onClose }: GiveAwayProps) {
  const { t } = useTranslation("cards");
  const release = useReleaseCard(supabase, userId);
  return (
    <Dialog
      title={t("give.title")}
      description={release.data ? undefined : t("give.text")}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="grid gap-4" aria-live="polite">
        {release.data ? (
          <>
            <p className="font-semibold">{t("give.secret")}</p>
            <p className="rounded-2xl bg-wash px-4 py-4 text-center font-mono text-2xl tracking-widest wrap-anywhere">
              {release.data}
            </p>
            <p className="text-ink-soft">{t("give.once")}</p>
          </>
        ) : (
          <>
            {release.isError && <p role="alert">{t("give.failed")}</p>}
            <Button variant="danger" disabled={release.isPending} onClick={() => release.mutate(card.id)}>
              {t("give.do")}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
