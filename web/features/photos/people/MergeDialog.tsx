import { useTranslation } from "react-i18next";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { PersonField } from "./PersonField.tsx";

interface MergeDialogProps {
  person: PicturedPerson;
  people: readonly PicturedPerson[];
  onMerge: (other: PicturedPerson) => void;
  onSplit: (merged: PicturedPerson["merged"][number]) => void;
  onClose: () => void;
}

/** Renders the choice of whom a person is the same as, and the entries that are merged into them, to split them again. */
export function MergeDialog({ person, people, onMerge, onSplit, onClose }: MergeDialogProps) {
  const { t } = useTranslation("pictured");
  const others = people.filter(({ id }) => id !== person.id);
  return (
    <Dialog
      title={t("person.mergeTitle", { name: person.name })}
      description={t("person.mergeText")}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="grid gap-6">
        {person.merged.length > 0 && (
          <ul className="m-0 grid list-none gap-1 p-0">
            {person.merged.map((merged) => (
              <li key={merged.id} className="flex items-center justify-between gap-3">
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {merged.name}
                </span>
                <Button variant="quiet" size="small" className="shrink-0" onClick={() => onSplit(merged)}>
                  {t("person.split")}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <PersonField
            label={t("person.sameAs")}
            people={others}
            addable={false}
            onChoose={({ id }) => {
              const other = others.find((one) => one.id === id);
              if (other) onMerge(other);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
