import { Link2Off, RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type LinkChange, type ShareLink, useDeleteLink, useRemakeLink } from "./links.queries.ts";

interface LinkActionsProps {
  link: ShareLink;
  first: boolean;
  name: string;
  onChange: (change: LinkChange) => void;
}

/** Renders the actions that turn off, reset or delete a link. A memory's main link cannot be deleted. */
export function LinkActions({ link, first, name, onChange }: LinkActionsProps) {
  const { t } = useTranslation("sharing");
  const [asking, setAsking] = useState<"remake" | "delete">();
  const isClosed = link.revoked_at !== null;
  const close = () => {
    onChange({ revoked_at: new Date().toISOString() });
    toast({
      title: t("close.done"),
      description: t("close.doneText"),
      action: { label: t("close.undo"), onSelect: () => onChange({ revoked_at: null }) },
    });
  };
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap gap-2">
        {!isClosed && (
          <Button icon={Link2Off} variant="quiet" size="small" onClick={close}>
            {t("close.action")}
          </Button>
        )}
        <Button icon={RefreshCw} variant="quiet" size="small" onClick={() => setAsking("remake")}>
          {t("remake.action")}
        </Button>
        {!first && (
          <Button icon={Trash2} variant="quiet" size="small" onClick={() => setAsking("delete")}>
            {t("delete.action")}
          </Button>
        )}
      </div>
      <RemakeLink link={link} first={first} open={asking === "remake"} onOpenChange={() => setAsking(undefined)} />
      <DeleteLink link={link} name={name} open={asking === "delete"} onOpenChange={() => setAsking(undefined)} />
    </div>
  );
}

interface DeleteLinkProps {
  link: ShareLink;
  name: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Renders the dialog that confirms deleting a link other than a memory's main link. */
function DeleteLink({ link, name, open, onOpenChange }: DeleteLinkProps) {
  const { t } = useTranslation("sharing");
  const remove = useDeleteLink(supabase, link);
  return (
    <ConfirmChange
      title={t("delete.title", { name })}
      text={t("delete.text")}
      lost={[t("remake.sent"), t("remake.printed"), t("remake.inside"), t("delete.log")]}
      note={t("delete.instead")}
      confirm={t("delete.confirm")}
      cancel={t("delete.cancel")}
      busy={remove.isPending}
      failed={remove.isError}
      open={open}
      onOpenChange={onOpenChange}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => toast({ title: t("delete.done", { name }) }) })}
    />
  );
}

interface RemakeLinkProps {
  link: ShareLink;
  first: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Renders the dialog that confirms resetting a link's address. */
function RemakeLink({ link, first, open, onOpenChange }: RemakeLinkProps) {
  const { t } = useTranslation("sharing");
  const remake = useRemakeLink(supabase, link);
  const done = () => {
    onOpenChange(false);
    toast({ title: t("remake.done"), description: t("remake.doneText"), tone: "success" });
  };
  return (
    <ConfirmChange
      title={t("remake.title")}
      text={t("remake.text")}
      lost={[t("remake.sent"), t(first ? "remake.printedFirst" : "remake.printed"), t("remake.inside")]}
      note={t(link.asks ? "remake.keepsSecret" : "remake.keeps")}
      confirm={t("remake.confirm")}
      cancel={t("remake.cancel")}
      busy={remake.isPending}
      failed={remake.isError}
      open={open}
      onOpenChange={onOpenChange}
      onConfirm={() => remake.mutate(undefined, { onSuccess: done })}
    />
  );
}

interface ConfirmChangeProps {
  title: string;
  text: string;
  /** Texts about everything that stops working permanently. */
  lost: readonly string[];
  /** Text about everything that keeps working, or about an alternative. */
  note: ReactNode;
  confirm: string;
  cancel: string;
  busy: boolean;
  failed: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

/** Renders the confirmation of a change that ends a link's address permanently, with the consequences. */
function ConfirmChange({ title, text, lost, note, open, onOpenChange, ...rest }: ConfirmChangeProps) {
  const { t } = useTranslation("sharing");
  return (
    <Dialog title={title} description={text} open={open} onOpenChange={onOpenChange}>
      <div className="grid gap-5">
        <ul className="grid list-disc gap-1 ps-5">
          {lost.map((line) => (
            <li key={line}>{line}</li>
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
