import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

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
export function ConfirmDeletion(props: ConfirmDeletionProps) {
  const { title, text, confirm, open, deletion, onConfirm, onClose, onClosed } = props;
  const { t } = useTranslation("trash");
  return (
    <Dialog
      title={title}
      description={text}
      open={open}
      onOpenChange={(wanted) => !wanted && onClose()}
      {...(onClosed ? { onClosed } : {})}
    >
      <div className="flex flex-wrap justify-end gap-3">
        {deletion.isError && (
          <p role="alert" className="basis-full text-danger-text">
            {t("deleteFailed")}
          </p>
        )}
        <Button variant="quiet" onClick={onClose}>
          {t("keep")}
        </Button>
        <Button variant="danger" aria-busy={deletion.isPending} onClick={() => !deletion.isPending && onConfirm()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
