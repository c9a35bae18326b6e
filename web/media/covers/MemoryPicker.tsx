import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ListedMemory, memoriesQuery } from "../../data/memories.queries.ts";
import { useFind } from "../../lib/browser/use-find.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { WindowedGrid } from "../../ui/WindowedGrid.tsx";

interface MemoryPickerProps {
  /** Whether a memory can be chosen. */
  offers: (memory: ListedMemory) => boolean;
  /** The text if no memory can be chosen. */
  none: string;
  /** The text if memories could not be loaded. */
  failed: string;
  /** Renders one memory; all of them have the same height. */
  children: (memory: ListedMemory) => ReactNode;
}

/** A searchable list of a person's published memories, to choose one. */
export function MemoryPicker({ offers, none, failed, children }: MemoryPickerProps) {
  const { t } = useTranslation("memories");
  const { id: userId } = useUser();
  const { find, text, setText } = useFind(false);
  const memories = useInfiniteQuery(memoriesQuery(supabase, userId, { find, finished: true }));
  const offered = memories.data?.filter(offers);
  const searches = text !== "" || find !== "" || memories.hasNextPage;

  if (memories.isPending && !searches) return <Skeleton className="h-60" />;
  if (memories.isLoadingError) return <Problem error={new Error(failed)} retry={memories.refetch} />;
  if (offered?.length === 0 && !searches) return <p>{none}</p>;
  return (
    <div className="grid gap-4">
      {searches && <SearchField label={t("list.find")} value={text} onChange={setText} />}
      <div className="max-h-[50dvh] min-h-40 overflow-y-auto p-1">
        {offered === undefined ? (
          <Skeleton className="h-40" />
        ) : offered.length === 0 && !memories.hasNextPage ? (
          <p role="status" className="text-ink-soft">
            {find ? t("list.notFound", { text: find }) : none}
          </p>
        ) : (
          <>
            <WindowedGrid name="memories to choose" items={offered} keyOf={({ id }) => id} className="grid gap-1">
              {children}
            </WindowedGrid>
            <LoadMore pages={memories} />
          </>
        )}
      </div>
    </div>
  );
}
