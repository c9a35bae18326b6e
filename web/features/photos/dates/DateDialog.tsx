import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { DateForm } from "../../../media/DateForm.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { useChangeDates } from "./use-change-dates.ts";

interface DateDialogProps {
  /** Photos whose date is set. The dialog is open unless the list is empty. */
  photos: readonly Photo[];
  change: ReturnType<typeof useChangeDates>;
  onClose: () => void;
  onSaved: () => void;
}

/** Renders the dialog that sets one date for all selected photos. */
export function DateDialog({ photos, change, onClose, onSaved }: DateDialogProps) {
  const { t } = useTranslation("gallery");
  const [first, ...others] = photos;
  const date = first && others.every(({ taken_at }) => taken_at === first.taken_at) ? first.taken_at : null;
  return (
    <Dialog
      title={t("date.title", { count: photos.length })}
      description={photos.length > 1 ? t("date.text") : undefined}
      open={photos.length > 0}
      onOpenChange={(open) => !open && onClose()}
    >
      <DateForm
        date={date}
        removable={photos.some(({ taken_at }) => taken_at !== null)}
        onSave={(date) => {
          change(photos, date);
          onSaved();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
