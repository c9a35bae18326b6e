import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { memoryQuery, rightsQuery } from "../data/memories.queries.ts";
import { slideshowsQuery, useSlideshowsLive } from "../data/slideshows.queries.ts";
import { PrintFrame } from "../features/printing/PrintFrame.tsx";
import { SlideshowDesk } from "../features/slideshows/SlideshowDesk.tsx";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useMemoryPhotos } from "../media/use-memory-photos.ts";
import { paths } from "../paths.ts";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** `/memory/{id}/slideshows`: slideshows and their films, for the memory's managers. */
export default function SlideshowsPage() {
  const { t } = useTranslation("slideshows");
  const id = useRowId();
  const rights = useQuery(rightsQuery(supabase, id));
  const memory = useQuery(memoryQuery(supabase, id));
  const slideshows = useQuery(slideshowsQuery(supabase, id));
  const { query: photos, isPart } = useMemoryPhotos(supabase, id);
  useSlideshowsLive(supabase, id);
  if (rights.data && !rights.data.manage) return <Navigate to={paths.memory(id)} replace />;

  const failed = [rights, memory, slideshows, photos].find(({ isLoadingError }) => isLoadingError);
  const content = () => {
    if (failed) return <Problem error={new Error(t("failed"))} retry={failed.refetch} />;
    if (!memory.data || !slideshows.data || !photos.data || isPart || !rights.data) {
      return <Skeleton className="h-96 rounded-3xl" />;
    }
    return <SlideshowDesk memory={memory.data} stored={slideshows.data} media={photos.data} />;
  };
  return (
    <PrintFrame memoryId={id} name={memory.data?.person_name} title={t("title")} text={t("text")}>
      {content()}
    </PrintFrame>
  );
}
