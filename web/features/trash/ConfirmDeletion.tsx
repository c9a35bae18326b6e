import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/Dialog.tsx";

interface ConfirmDeletionProps {
  title: string;
  /** Description of the consequences. */
  text: string;
  /** Label of the button that confirms. */
  confirm: string;
  open: boolean;
  deletion: { isPending: boolean; isError: boolean };
  onConfirm: () => void;
  onClose: () => void;
  onClosed?: () => void;
}

/** Renders the dialog that confirms a permanent deletion. */
export function ConfirmDeletion({ text, deletion, onClose, ...dialog }: ConfirmDeletionProps) {
  const { t } = useTranslation("trash");
  return (
    <ConfirmDialog
      description={text}
      cancel={t("keep")}
      busy={deletion.isPending}
      failure={deletion.isError && t("deleteFailed")}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      {...dialog}
    />
  );
}
