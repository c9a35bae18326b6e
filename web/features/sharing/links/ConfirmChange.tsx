import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";

interface ConfirmChangeProps {
  title: string;
  text: string;
  /** What stops working for good. */
  lost: readonly string[];
  /** What stays. */
  note: ReactNode;
  confirm: string;
  cancel: string;
  busy: boolean;
  failed: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

/** Asks before a link's address is given up, as it never comes back: it names what is lost. */
export function ConfirmChange({ title, text, lost, note, open, onOpenChange, ...rest }: ConfirmChangeProps) {
  const { t } = useTranslation("sharing");
  return (
    <Dialog title={title} description={text} open={open} onOpenChange={onOpenChange}>
      <div className="grid gap-5">
        <ul className="grid list-disc gap-1 ps-5">
          {lost.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        <p className="text-ink-soft">{note}</p>
        {rest.failed && (
          <p role="alert" className="text-danger-text">
            {t("change.failed")}. {t("change.failedText")}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" aria-busy={rest.busy} onClick={() => !rest.busy && rest.onConfirm()}>
            {rest.confirm}
          </Button>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            {rest.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
