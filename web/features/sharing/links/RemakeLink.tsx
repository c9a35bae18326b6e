import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";
import { ConfirmChange } from "./ConfirmChange.tsx";
import { type ShareLink, useRemakeLink } from "./links.queries.ts";

interface RemakeLinkProps {
  link: ShareLink;
  first: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Gives a link another address, once it is understood what stops working. */
export function RemakeLink({ link, first, open, onOpenChange }: RemakeLinkProps) {
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
      note={t(link.asks ? "remake.keepsDoor" : "remake.keeps")}
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
