import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { type MemoryPerson, useOffer } from "./people.queries.ts";

interface OfferMemoryProps {
  memoryId: string;
  person: MemoryPerson;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says what handing a memory over would change, before it is offered. */
export function OfferMemory({ memoryId, person, open, onOpenChange }: OfferMemoryProps) {
  const { t } = useTranslation("people");
  const offer = useOffer(supabase, memoryId);
  const name = person.name || t("noName");
  return (
    <Dialog
      title={t("handover.offerTitle", { name })}
      description={t("handover.offerText", { name })}
      open={open}
      onOpenChange={onOpenChange}
    >
      <div className="flex flex-wrap justify-end gap-3">
        {offer.isError && (
          <p role="alert" className="basis-full text-danger-text">
            {t("handover.failed")}
          </p>
        )}
        <Button variant="quiet" onClick={() => onOpenChange(false)}>
          {t("handover.cancel")}
        </Button>
        <Button
          aria-busy={offer.isPending}
          onClick={() => !offer.isPending && offer.mutate(person.id, { onSuccess: () => onOpenChange(false) })}
        >
          {t("handover.confirm")}
        </Button>
      </div>
    </Dialog>
  );
}
