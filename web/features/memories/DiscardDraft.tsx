import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteMemory } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

interface DiscardDraftProps {
  id: string;
  photoCount: number;
  onDiscarded: () => void;
}

/** Throws a memory in the making away, after saying what goes with it. */
export function DiscardDraft({ id, photoCount, onDiscarded }: DiscardDraftProps) {
  const { t } = useTranslation("memories");
  const [asked, setAsked] = useState(false);
  const discard = useDeleteMemory(supabase, onDiscarded);
  return (
    <>
      <Button variant="plain" className="max-sm:px-3!" onClick={() => setAsked(true)}>
        <Trash2 aria-hidden className="size-5" />
        <span className="max-sm:sr-only">{t("new.discard")}</span>
      </Button>
      <Dialog
        title={t("new.discardTitle")}
        description={t("new.discardText", { count: photoCount })}
        open={asked}
        onOpenChange={setAsked}
      >
        <div className="flex flex-wrap justify-end gap-3">
          {discard.isError && (
            <p role="alert" className="grow basis-full text-danger-text">
              {t("page.deleteFailed")}
            </p>
          )}
          <Button variant="quiet" onClick={() => setAsked(false)}>
            {t("new.keep")}
          </Button>
          <Button
            variant="danger"
            aria-busy={discard.isPending}
            onClick={() => !discard.isPending && discard.mutate(id)}
          >
            {t("new.discard")}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
