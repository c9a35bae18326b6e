import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { dayQuery } from "../data/day.queries.ts";
import { memoryQuery, rightsQuery } from "../data/memories.queries.ts";
import { entriesQuery, sectionEntries } from "../data/timeline.queries.ts";
import { PrintFrame } from "../features/printing/PrintFrame.tsx";
import { printedLinksQuery } from "../features/printing/printing.queries.ts";
import { ServiceStudio } from "../features/printing/service/ServiceStudio.tsx";
import { serviceQuery } from "../features/printing/service/service.queries.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { paths } from "../paths.ts";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** `/memory/{id}/service`: the order of service, for the memory's managers. */
export default function ServicePage() {
  const { t } = useTranslation("printing");
  const id = useRowId();
  const rights = useQuery(rightsQuery(supabase, id));
  const memory = useQuery(memoryQuery(supabase, id));
  const stored = useQuery(serviceQuery(supabase, id));
  const links = useQuery(printedLinksQuery(supabase, id));
  const day = useQuery(dayQuery(supabase, id));
  const entries = useQuery(entriesQuery(supabase, id));
  if (rights.data && !rights.data.manage) return <Navigate to={paths.memory(id)} replace />;

  const failed = [rights, memory, stored, links, day, entries].find(({ isLoadingError }) => isLoadingError);
  const content = () => {
    if (failed) return <Problem error={new Error(t("failed"))} retry={failed.refetch} />;
    if (!memory.data || !stored.data || !links.data || !day.data || !entries.data || !rights.data) {
      return <Skeleton className="h-96 rounded-3xl" />;
    }
    const { kind } = memory.data;
    const programme = kind === "event" ? sectionEntries(kind, entries.data) : day.data;
    return (
      <ServiceStudio
        memory={memory.data}
        stored={stored.data}
        parts={day.data}
        programme={programme}
        links={links.data}
      />
    );
  };
  const heading = memory.data ? t(`service.heading.${memory.data.kind}`) : t("service.heading.tribute");
  return (
    <PrintFrame memoryId={id} name={memory.data?.person_name} title={heading} text={t("service.text")}>
      {content()}
    </PrintFrame>
  );
}
