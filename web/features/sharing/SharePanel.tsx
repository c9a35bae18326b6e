import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/supabase.ts";
import { paths } from "../../paths.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { CopyLink } from "./CopyLink.tsx";
import { PinSettings } from "./PinSettings.tsx";
import { QrCode } from "./QrCode.tsx";
import { shareLinkQuery, useShareLinkLive } from "./sharing.queries.ts";

/** What sharing needs to know of a memory. */
export interface SharedMemoryFacts {
  id: string;
  person_name: string;
}

/** Everything about sharing a memory: its link, its code, its PIN. */
export function SharePanel({ memory }: { memory: SharedMemoryFacts }) {
  const { t } = useTranslation("sharing");
  const link = useQuery(shareLinkQuery(supabase, memory.id));
  useShareLinkLive(supabase, memory.id);
  if (link.isPending) return <Skeleton className="h-72" />;
  if (link.isError) return <Problem error={new Error(t("failed"))} retry={link.refetch} />;
  const url = new URL(paths.shared(link.data.share_id), location.origin).href;
  return (
    <div className="grid gap-7">
      <CopyLink url={url} />
      <PinSettings link={link.data} />
      <QrCode url={url} name={memory.person_name} />
    </div>
  );
}
