import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type ShareLink, useRemakeLink } from "./links.queries.ts";

interface RemakeLinkProps {
  link: ShareLink;
  first: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks before a link gets another address, as the old one never comes back: it names what stops working. */
export function RemakeLink({ link, first, open, onOpenChange }: RemakeLinkProps) {
  const { t } = useTranslation("sharing");
  const remake = useRemakeLink(supabase, link);
  const confirm = () => {
    if (remake.isPending) return;
    remake.mutate(undefined, {
      onSuccess: () => {
        onOpenChange(false);
        toast({ title: t("remake.done"), description: t("remake.doneText"), tone: "success" });
      },
    });
  };
  return (
    <Dialog title={t("remake.title")} description={t("remake.text")} open={open} onOpenChange={onOpenChange}>
      <div className="grid gap-5">
        <ul className="grid list-disc gap-1 ps-5">
          <li>{t("remake.sent")}</li>
          <li>{t(first ? "remake.printedFirst" : "remake.printed")}</li>
          <li>{t("remake.inside")}</li>
        </ul>
        <p className="text-ink-soft">{t(link.asks ? "remake.keepsDoor" : "remake.keeps")}</p>
        {remake.isError && (
          <p role="alert" className="text-danger-text">
            {t("change.failed")} {t("change.failedText")}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" aria-busy={remake.isPending} onClick={confirm}>
            {t("remake.confirm")}
          </Button>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            {t("remake.cancel")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
