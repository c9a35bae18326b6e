import "../../i18n/words/gallery.ts";
import "../../i18n/words/media.ts";
import "../../i18n/words/memories.ts";
import "../../i18n/words/moderation.ts";
import "../../i18n/words/reports.ts";
import "../../i18n/words/stories.ts";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, Outlet, useParams } from "react-router";
import { memoryQuery, rightsQuery, useMemoryLive } from "../../data/memories.queries.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { supabase } from "../../lib/supabase.ts";
import { MemorySkeleton } from "../../media/covers/MemorySkeleton.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { MemberMemory } from "./MemberMemory.tsx";
import { useMemoryTold } from "./use-memory-told.ts";

/** `/memory/{id}`: a memory, for anyone signed in who may see it. */
export default function MemoryPage() {
  const { t } = useTranslation("memories");
  const { id = "" } = useParams();
  useMemoryLive(supabase, id);
  const memory = useQuery(memoryQuery(supabase, id));
  const rights = useQuery(rightsQuery(supabase, id));
  const told = useMemoryTold(supabase, id, memory.data?.description);
  usePageTitle(memory.data?.person_name ?? "");

  if (memory.isPending || rights.isPending || (memory.data && !told.settled))
    return <MemorySkeleton label={t("list.title")} />;
  if (memory.isError || rights.isError) {
    const retry = () => Promise.all([memory.refetch(), rights.refetch()]);
    return <Problem error={new Error(t("page.failed"))} retry={retry} />;
  }
  if (!memory.data) {
    // It may be one that somebody is invited to: the route inside knows, and shows this where it is not.
    const missing = (
      <Empty page title={t("page.missingTitle")} text={t("page.missingText")}>
        <Button asChild>
          <Link to={paths.start()}>{t("page.toMemories")}</Link>
        </Button>
      </Empty>
    );
    return (
      <Suspense fallback={<MemorySkeleton label={t("list.title")} />}>
        <Outlet context={missing} />
      </Suspense>
    );
  }
  if (memory.data.draft) return <Navigate to={paths.newMemory()} replace />;
  return <MemberMemory key={id} place={{ client: supabase, memory: memory.data, rights: rights.data }} />;
}
