import { useQuery } from "@tanstack/react-query";
import { Link2, Link2Off } from "lucide-react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CopyLink } from "./CopyLink.tsx";
import { PinSettings } from "./PinSettings.tsx";
import { QrCode } from "./QrCode.tsx";
import {
  type Shareable,
  type ShareLink,
  shareLinkQuery,
  useCloseLink,
  useCreateLink,
  useShareLinkLive,
} from "./sharing.queries.ts";

/** Everything about sharing a memory or an album: its link, its code, its PIN. */
export function SharePanel({ of }: { of: Shareable }) {
  const { t } = useTranslation("sharing");
  const link = useQuery(shareLinkQuery(supabase, of));
  useShareLinkLive(supabase, of);
  if (link.isPending) return <Skeleton className="h-72" />;
  if (link.isError) return <Problem error={new Error(t("failed"))} retry={link.refetch} />;
  if (link.data === null) return <FirstLink of={of} />;
  const url = new URL(paths.shared(link.data.share_id), location.origin).href;
  return (
    <div className="grid gap-7">
      <CopyLink url={url} />
      <PinSettings link={link.data} />
      <QrCode url={url} name={of.name} />
      {of.kind === "album" && <CloseLink link={link.data} />}
    </div>
  );
}

function FirstLink({ of }: { of: Shareable }) {
  const { t } = useTranslation("sharing");
  const create = useCreateLink(supabase, of);
  return (
    <div className="grid justify-items-start gap-4">
      <p>{t("first.text")}</p>
      {create.isError && (
        <p role="alert" className="text-danger-text">
          {t("first.failed")}
        </p>
      )}
      <Button aria-busy={create.isPending} onClick={() => !create.isPending && create.mutate()}>
        <Link2 aria-hidden className="size-5" />
        {t("first.create")}
      </Button>
    </div>
  );
}

function CloseLink({ link }: { link: ShareLink }) {
  const { t } = useTranslation("sharing");
  const close = useCloseLink(supabase, link);
  const failed = () => toast({ title: t("close.failed"), description: t("close.failedText"), tone: "problem" });
  const closed = () =>
    toast({
      title: t("close.done"),
      description: t("close.doneText"),
      action: { label: t("close.undo"), onSelect: () => close.mutate(false, { onError: failed }) },
    });
  return (
    <div className="border-t border-line pt-6">
      <Button variant="quiet" size="small" onClick={() => close.mutate(true, { onSuccess: closed, onError: failed })}>
        <Link2Off aria-hidden className="size-5" />
        {t("close.action")}
      </Button>
    </div>
  );
}
