import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConflictNote } from "./ConflictNote.tsx";
import { Dialog } from "./Dialog.tsx";
import { toast } from "./toasts.tsx";

interface ConflictDialogProps {
  /** The conflict to ask about; undefined while there is none. */
  conflict: Omit<ComponentProps<typeof ConflictNote>, "titled"> | undefined;
}

/** Asks in a dialog whose values stay. Closing it decides nothing: a toast opens it again. */
export function ConflictDialog({ conflict }: ConflictDialogProps) {
  const { t } = useTranslation("conflict");
  const [isPostponed, setPostponed] = useState(false);
  if (isPostponed && !conflict) setPostponed(false);
  const postpone = () => {
    setPostponed(true);
    toast({
      title: t("waiting"),
      tone: "problem",
      action: { label: t("show"), onSelect: () => setPostponed(false) },
    });
  };
  return (
    <Dialog
      title={t("title")}
      description={t("text")}
      open={conflict !== undefined && !isPostponed}
      onOpenChange={(open) => !open && postpone()}
    >
      {conflict && <ConflictNote titled={false} {...conflict} />}
    </Dialog>
  );
}
