import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";
import { ConfirmChange } from "./ConfirmChange.tsx";
import { type ShareLink, useDeleteLink } from "./links.queries.ts";

interface DeleteLinkProps {
  link: ShareLink;
  name: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Deletes a link that is not a memory's first, once it is understood what goes with it. */
export function DeleteLink({ link, name, open, onOpenChange }: DeleteLinkProps) {
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
