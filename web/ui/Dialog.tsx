import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { hasOpenList, useCloseOnBack } from "../lib/browser/close-on-back.ts";
import { PartBoundary } from "../lib/browser/part-boundary.ts";
import { rememberFocus } from "../lib/browser/return-focus.ts";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";

interface DialogProps {
  title: string;
  description?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Moves the focus after closing. By default what opened the dialog gets it back. */
  onClosed?: () => void;
  children?: ReactNode;
}

/** A modal dialog: a sheet from below on phones, a card in the middle on wider screens. */
export function Dialog({ title, description, open, onOpenChange, onClosed, children }: DialogProps) {
  const { t } = useTranslation("common");
  const returnFocus = useRef(() => {});
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-night/60 motion-safe:animate-fade-in" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            returnFocus.current = rememberFocus();
            // Focuses the dialog itself. On the close button, the tooltip would open and consume the first Escape.
            event.preventDefault();
            const dialog = event.currentTarget as HTMLElement;
            // A dialog that is one question begins in its field.
            (dialog.querySelector<HTMLElement>("[data-begin-here]") ?? dialog).focus();
          }}
          onEscapeKeyDown={(event) => hasOpenList() && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            (onClosed ?? returnFocus.current)();
          }}
          className="outline-none fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-3xl bg-raised p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] text-ink shadow-lifted motion-safe:animate-rise sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[min(36rem,calc(100vw-3rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-3xl sm:p-8"
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-serif text-2xl leading-tight">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label={t("close")} className="-me-2 -mt-2" />
            </Radix.Close>
          </div>
          {description && <Radix.Description className="mt-2 text-ink-soft">{description}</Radix.Description>}
          {children && (
            <div className="mt-6">
              <PartBoundary>{children}</PartBoundary>
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, "children"> {
  confirm: string;
  cancel: string;
  busy: boolean;
  /** The error message of a failed action, shown above the buttons. */
  failure: string | false | undefined;
  onConfirm: () => void;
}

/** Asks for confirmation before something is deleted or lost. */
export function ConfirmDialog({ confirm, cancel, busy, failure, onConfirm, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog {...dialog}>
      <div className="flex flex-wrap justify-end gap-3">
        {failure && (
          <p role="alert" className="basis-full text-danger-text">
            {failure}
          </p>
        )}
        <Button variant="quiet" onClick={() => dialog.onOpenChange(false)}>
          {cancel}
        </Button>
        <Button variant="danger" aria-busy={busy} onClick={() => !busy && onConfirm()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
