import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { draftQuery } from "../data/memories.queries.ts";
import { memoryRoomQuery } from "../data/plans.queries.ts";
import { MemoryLimit } from "../features/memories/MemoryLimit.tsx";
import type { MemoryFormValues } from "../features/memories/memory-form.ts";
import { NewMemory } from "../features/memories/NewMemory.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/**
 * `/memory/new`: the form of a new memory or the person's draft, or the reason why the plan allows no more memories.
 */
export default function NewMemoryPage() {
  const { t } = useTranslation("memories");
  usePageTitle(t("new.title"));
  const { id: userId } = useUser();
  const [query] = useSearchParams();
  const kind = query.get("kind") === "event" ? "event" : "tribute";
  const draft = useQuery(draftQuery(supabase, userId));
  const [round, setRound] = useState(0);
  const [initial, setInitial] = useState<MemoryFormValues>();
  const existing = round === 0 ? draft.data : null;
  const room = useQuery({ ...memoryRoomQuery(supabase, userId, round), enabled: existing === null });

  if (draft.isPending || (room.isLoading && !existing)) {
    return (
      <div className="page-width grid gap-6 py-8" role="status" aria-label={t("new.title")}>
        <Skeleton className="h-64 rounded-3xl" />
        <Skeleton className="h-96 rounded-3xl" />
      </div>
    );
  }
  if (draft.isLoadingError) return <Problem error={new Error(t("new.failed"))} retry={draft.refetch} />;
  const startOver = (values?: MemoryFormValues) => {
    setInitial(values);
    setRound(round + 1);
  };
  // Text that was written already stays on the page. Saving it says why the plan allows no more memories.
  if (!existing && !initial && room.data?.full) return <MemoryLimit most={room.data.full} />;
  return (
    <NewMemory
      key={round}
      existing={existing ?? null}
      initial={initial}
      kind={kind}
      onDiscarded={() => startOver()}
      onStartNew={startOver}
    />
  );
}
