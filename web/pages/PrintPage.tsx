import { useQuery } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import { repliesQuery, useRepliesLive } from "../data/day-replies.queries.ts";
import { memoryQuery, rightsQuery } from "../data/memories.queries.ts";
import { PrintFrame } from "../features/printing/PrintFrame.tsx";
import { PrintStudio } from "../features/printing/PrintStudio.tsx";
import { comingOf } from "../features/printing/print-choices.ts";
import { printedLinksQuery, printsQuery } from "../features/printing/printing.queries.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** `/memory/{id}/print`: table cards, signs and place cards, for the memory's managers. */
export default function PrintPage() {
  const { t } = useTranslation("printing");
  const id = useRowId();
  const rights = useQuery(rightsQuery(supabase, id));
  const memory = useQuery(memoryQuery(supabase, id));
  const stored = useQuery(printsQuery(supabase, id));
  const links = useQuery(printedLinksQuery(supabase, id));
  const replies = useQuery(repliesQuery(supabase, id));
  useRepliesLive(supabase, id);
  if (rights.data && !rights.data.manage) return <Navigate to={paths.memory(id)} replace />;

  const all = [rights, memory, stored, links, replies];
  const failed = all.find(({ isLoadingError }) => isLoadingError);
  const content = () => {
    if (failed) return <Problem error={new Error(t("failed"))} retry={failed.refetch} />;
    if (!memory.data || !stored.data || !links.data || !replies.data || !rights.data) {
      return <Skeleton className="h-96 rounded-3xl" />;
    }
    if (links.data.length === 0) {
      return (
        <Empty picture="done" title={t("unshared.title")} text={t("unshared.text")}>
          <Button asChild>
            <Link to={paths.memory(id)}>
              <Share2 aria-hidden className="size-5 shrink-0" />
              {t("unshared.go")}
            </Link>
          </Button>
        </Empty>
      );
    }
    const coming = comingOf(replies.data, (name) => t("places.guestOf", { name }));
    return <PrintStudio memory={memory.data} links={links.data} stored={stored.data} coming={coming} />;
  };
  return (
    <PrintFrame memoryId={id} name={memory.data?.person_name} title={t("title")} text={t("text")}>
      <p className="-mt-4">
        <Link to={paths.service(id)} className="inline-flex min-h-11 items-center font-semibold text-deep">
          {t("service.open")}
        </Link>
      </p>
      {content()}
    </PrintFrame>
  );
}
