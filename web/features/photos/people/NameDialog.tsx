import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import type { Pictured } from "../../../data/pictured.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { PersonField } from "./PersonField.tsx";
import type { Naming } from "./use-naming.ts";

interface NameDialogProps {
  /** Photos on which a person is named. The dialog is open unless the list is empty. */
  photos: readonly Photo[];
  pictured: Pictured;
  naming: Naming;
  onClose: () => void;
  onNamed: () => void;
}

/** Renders the dialog that names a person on all selected photos. */
export function NameDialog({ photos, pictured, naming, onClose, onNamed }: NameDialogProps) {
  const { t } = useTranslation("pictured");
  return (
    <Dialog
      title={t("many.title", { count: photos.length })}
      description={photos.length > 1 ? t("many.text") : undefined}
      open={photos.length > 0}
      onOpenChange={(open) => !open && onClose()}
    >
      <PersonField
        label={t("name")}
        hint={t("nameHint")}
        people={pictured.people}
        begins
        onChoose={(person) => {
          naming.nameMany(photos, person);
          onNamed();
        }}
      />
    </Dialog>
  );
}
