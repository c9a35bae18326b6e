import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type MemorySummary, memoriesQuery, memoryCountQuery, memoryKindQuery } from "../../data/memories.queries.ts";
import { waitingQuery } from "../../data/moderation.queries.ts";
import { AlbumStrip } from "../../features/albums/AlbumStrip.tsx";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useFind } from "../../lib/browser/use-find.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { CoverStrip, STRIP_SIZES } from "../../media/covers/CoverStrip.tsx";
import { MemoryCard } from "../../media/covers/MemoryCard.tsx";
import { Cover, MemoryDates } from "../../media/covers/MemoryCover.tsx";
import { MediaUrlCacheProvider, useMediaUrls, useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Empty } from "../../ui/Empty.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { WindowedGrid } from "../../ui/WindowedGrid.tsx";

const gridFor = (count: number) =>
  classNames("grid gap-5 sm:gap-6", count === 1 ? "max-w-3xl" : "sm:grid-cols-2", count > 2 && "xl:grid-cols-3");
const IN_SIGHT = 3;
/** Maximum number of memories for which the list needs no search. */
const FEW = 12;

/** Renders the person's memories on `/`. */
export default function MemoriesList({ shared = [] }: { shared?: MemorySummary[] }) {
  const { t } = useTranslation("memories");
  const { id: userId } = useUser();
  const { find, text, setText } = useFind();
  const memories = useInfiniteQuery(memoriesQuery(supabase, userId, { find }));
  const count = useQuery(memoryCountQuery(supabase, userId)).data ?? 0;
  const kind = useQuery(memoryKindQuery(supabase, userId)).data;
  const waiting = useQuery(waitingQuery(supabase)).data;
  const urls = useNewMediaUrlCache(supabase);
  const title = kind === "event" ? t("list.collections") : t("list.title");
  usePageTitle(title);
  const memoriesList = memories.data;
  const searches = count > FEW || text !== "" || find !== "";

  if (memories.isSuccess && memoriesList?.length === 0 && !searches) {
    return (
      <Frame title={title}>
        <MediaUrlCacheProvider value={urls}>
          <SharedStrip memories={shared} />
        </MediaUrlCacheProvider>
        <Empty picture="photos" title={t("list.emptyTitle")} text={t("list.emptyText")}>
          <NewMemoryLink />
        </Empty>
      </Frame>
    );
  }
  return (
    <Frame title={title} tools={!memories.isLoadingError && (memoriesList || searches) && <NewMemoryLink short />}>
      <MediaUrlCacheProvider value={urls}>
        {memoriesList && !find && <AlbumStrip />}
        {!find && <SharedStrip memories={shared} />}
        {searches && (
          <SearchField label={t("list.find")} value={text} onChange={setText} className="w-full sm:max-w-md" />
        )}
        {memories.isPending ? (
          <div className={gridFor(3)} role="status" aria-label={title}>
            {[1, 2, 3].map((card) => (
              <Skeleton key={card} className="h-88 rounded-3xl sm:h-100" />
            ))}
          </div>
        ) : memories.isLoadingError && !memoriesList ? (
          <Problem error={new Error(t("list.failed"))} retry={memories.refetch} />
        ) : memoriesList?.length === 0 ? (
          <p role="status" className="py-10 text-ink-soft">
            {t("list.notFound", { text: find })}
          </p>
        ) : (
          memoriesList && (
            <>
              <WindowedGrid
                name={`memories ${Math.min(memoriesList.length, 3)}`}
                items={memoriesList}
                keyOf={({ id }) => id}
                total={find ? undefined : Math.max(count, memoriesList.length)}
                className={gridFor(memoriesList.length)}
              >
                {(memory, index) => (
                  <MemoryCard memory={memory} eager={index < IN_SIGHT} waiting={waiting?.[memory.id]} />
                )}
              </WindowedGrid>
              <LoadMore pages={memories} />
            </>
          )
        )}
      </MediaUrlCacheProvider>
    </Frame>
  );
}

/** Renders the memories of other people in which the person is a member. */
function SharedStrip({ memories }: { memories: MemorySummary[] }) {
  const { t } = useTranslation("memories");
  if (memories.length === 0) return null;
  return (
    <CoverStrip
      title={t("list.shared")}
      items={memories.map((memory) => ({
        id: memory.id,
        to: paths.memory(memory.id),
        name: memory.person_name,
        fact: <MemoryDates memory={memory} />,
        cover: <SharedCover memory={memory} />,
      }))}
    />
  );
}

function SharedCover({ memory }: { memory: MemorySummary }) {
  const urls = useMediaUrls(memory.cover);
  return <Cover memory={memory} cover={memory.cover} urls={urls} sizes={STRIP_SIZES} className="size-full" />;
}

function Frame({ title, tools, children }: { title: string; tools?: ReactNode; children: ReactNode }) {
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-6 py-8 sm:py-12">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-4">
        <h1 className="font-serif text-4xl sm:text-5xl">{title}</h1>
        {tools}
      </div>
      {children}
    </div>
  );
}

/** Renders the link to a new memory. `short`: narrow screens show only the icon, so that the title fits on one line. */
function NewMemoryLink({ short }: { short?: boolean }) {
  const { t } = useTranslation("memories");
  return (
    <Button asChild>
      <Link to={paths.newMemory()}>
        <Plus aria-hidden className="size-5" />
        <span className={short ? "max-[30rem]:sr-only" : undefined}>{t("list.new")}</span>
      </Link>
    </Button>
  );
}
