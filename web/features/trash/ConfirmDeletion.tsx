import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/Dialog.tsx";

interface ConfirmDeletionProps {
  title: string;
  /** The description of what will be lost. */
  text: string;
  /** The button's label. */
  confirm: string;
  open: boolean;
  deletion: { isPending: boolean; isError: boolean };
  onConfirm: () => void;
  onClose: () => void;
  onClosed?: () => void;
}

/** Confirms a permanent deletion. */
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
