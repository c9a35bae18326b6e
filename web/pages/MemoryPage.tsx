import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation } from "react-router";
import { memoryQuery, rightsQuery, useMemoryLive, useRightsLive } from "../data/memories.queries.ts";
import { lastMemory, storeLastMemory } from "../lib/browser/last-memory.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { MemorySkeleton } from "../media/covers/MemorySkeleton.tsx";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { MemberMemory } from "./memory/MemberMemory.tsx";
import { useMemoryContent } from "./memory/use-memory-content.ts";

// Loaded lazily because only people without access to the memory need it.
const InvitedOrMissing = lazyPart(() => import("../features/people/InvitedOrMissing.tsx"));
const StorageNotices = lazyPart(() => import("../features/dashboard/StorageNotices.tsx"), "nothing");

/** `/memory/{id}`: a memory, for signed-in people who may see it; `/memory/last`: the one opened last in this browser. */
export default function MemoryPage() {
  if (useLocation().pathname !== paths.lastMemory()) return <MemoryOfId />;
  const last = lastMemory();
  return <Navigate to={last ? paths.memory(last) : paths.start()} replace />;
}

function MemoryOfId() {
  const { t } = useTranslation("memories");
  const id = useRowId();
  useMemoryLive(supabase, id);
  useRightsLive(supabase, id);
  const memory = useQuery(memoryQuery(supabase, id));
  const rights = useQuery(rightsQuery(supabase, id));
  const content = useMemoryContent(supabase, id, memory.data?.description);
  usePageTitle(memory.data?.person_name ?? "");
  const exists = memory.data !== undefined && memory.data !== null;
  useEffect(() => {
    if (exists) storeLastMemory(id);
  }, [exists, id]);

  if (memory.isPending || rights.isPending || (memory.data && !content.settled))
    return <MemorySkeleton label={t("list.title")} />;
  if (memory.isLoadingError || rights.isLoadingError) {
    const retry = () => Promise.all([memory.refetch(), rights.refetch()]);
    return <Problem error={new Error(t("page.failed"))} retry={retry} />;
  }
  if (!memory.data) {
    // The person may have an open invitation to this memory.
    const missing = (
      <Empty picture="signpost" page title={t("page.missingTitle")} text={t("page.missingText")}>
        <Button asChild>
          <Link to={paths.start()}>{t("page.toMemories")}</Link>
        </Button>
      </Empty>
    );
    return (
      <Suspense fallback={<MemorySkeleton label={t("list.title")} />}>
        <InvitedOrMissing memoryId={id} missing={missing} />
      </Suspense>
    );
  }
  if (memory.data.draft) return <Navigate to={paths.newMemory()} replace />;
  return (
    <>
      <MemberMemory
        key={id}
        context={{ client: supabase, memory: memory.data, rights: rights.data }}
        content={content}
      />
      <Suspense>{rights.data.role === "owner" && <StorageNotices />}</Suspense>
    </>
  );
}
