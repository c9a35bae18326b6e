import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/Dialog.tsx";

interface ConfirmDeletionProps {
  title: string;
  /** What will be lost. */
  text: string;
  /** What the button says. */
  confirm: string;
  open: boolean;
  deletion: { isPending: boolean; isError: boolean };
  onConfirm: () => void;
  onClose: () => void;
  onClosed?: () => void;
}

/** Asks before something is deleted for good, which can not be undone. */
export function ConfirmDeletion({ text, deletion, onClose, ...dialog }: ConfirmDeletionProps) {
  const { t } = useTranslation("trash");
  return (
    <ConfirmDialog
      description={text}
      cancel={t("keep")}
      busy={deletion.isPending}
      failure={deletion.isError && t("deleteFailed")}
      onOpenChange={(wanted) => !wanted && onClose()}
      {...dialog}
    />
  );
}
