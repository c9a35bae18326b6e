import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation } from "react-router";
import { memoryQuery, rightsQuery, useMemoryLive, useRightsLive } from "../data/memories.queries.ts";
import { lastMemory, storeLastMemory } from "../lib/browser/last-memory.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { offline } from "../lib/offline/offline-state.ts";
import { useSlow } from "../lib/offline/use-slow.ts";
import { withQueries } from "../lib/request/queries.ts";
import { supabase } from "../lib/request/supabase.ts";
import { MemorySkeleton } from "../media/covers/MemorySkeleton.tsx";
import { usePersonCopies } from "../media/offline/use-copies.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { MemberMemory } from "./memory/MemberMemory.tsx";
import { useMemoryContent } from "./memory/use-memory-content.ts";

// Loaded lazily because only people without access to the memory need it.
const InvitedOrMissing = lazyPart(() => import("../features/people/InvitedOrMissing.tsx"));
const OfflineMemory = lazyPart(withQueries(() => import("../media/offline/OfflineMemory.tsx")));
const OfflinePage = lazyPart(() => import("../layout/OfflinePage.tsx"));
const StorageNotices = lazyPart(() => import("../features/dashboard/StorageNotices.tsx"), "nothing");

/** `/memory/{id}`: a memory, for signed-in people who may see it; `/memory/last`: the one opened last in this browser. */
export default function MemoryPage() {
  const { pathname } = useLocation();
  const [isOffline] = useState(() => offline.get() || !navigator.onLine);
  if (pathname !== paths.lastMemory()) return isOffline ? <CopyOfId key={pathname} /> : <MemoryOfId key={pathname} />;
  const last = lastMemory();
  return <Navigate to={last ? paths.memory(last) : paths.start()} replace />;
}

/** The memory's offline copy. `online` is shown if the server can be reached. */
function CopyOfId({ online = <MemoryOfId /> }: { online?: ReactNode }) {
  const { t } = useTranslation("memories");
  const { cacheName } = usePersonCopies();
  const waiting = <MemorySkeleton label={t("list.title")} />;
  const context = { cacheName, memoryId: useRowId(), waiting, online, missing: <OfflinePage missing /> };
  return (
    <Suspense fallback={waiting}>
      <OfflineMemory {...context}>
        <MemoryOfId />
      </OfflineMemory>
    </Suspense>
  );
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

  const isWaiting = memory.isPending || rights.isPending || (memory.data && !content.settled);
  const isSlow = useSlow(isWaiting === true);
  if (isWaiting) {
    const waiting = <MemorySkeleton label={t("list.title")} />;
    return isSlow ? <CopyOfId online={waiting} /> : waiting;
  }
  if (memory.isLoadingError || rights.isLoadingError) {
    const retry = () => Promise.all([memory.refetch(), rights.refetch()]);
    // The browser may think that it is online while nothing arrives.
    return <CopyOfId online={<Problem error={new Error(t("page.failed"))} retry={retry} />} />;
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
