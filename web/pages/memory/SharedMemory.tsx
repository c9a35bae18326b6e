import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { memoryQuery, rightsQuery, useMemoryLive } from "../../data/memories.queries.ts";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { useStoriesLive } from "../../data/stories.queries.ts";
import { sectionEntries, useEntriesLive } from "../../data/timeline.queries.ts";
import { useChosenFiles } from "../../features/guests/chosen-files.ts";
import { readerTools } from "../../features/stories/reader-tools.tsx";
import { Stories } from "../../features/stories/Stories.tsx";
import { EntriesSection } from "../../features/timeline/EntriesSection.tsx";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useSlow } from "../../lib/offline/use-slow.ts";
import { MemorySkeleton } from "../../media/covers/MemorySkeleton.tsx";
import { checkCopies } from "../../media/offline/check-copies.ts";
import { useLinkCopies } from "../../media/offline/use-copies.ts";
import { useMemoryPhotos } from "../../media/use-memory-photos.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { MemoryView } from "./MemoryView.tsx";
import { useMemoryContent } from "./use-memory-content.ts";

// Loaded lazily because most links open one memory.
const loadWayToAlbum = () => import("../../features/albums/WayToAlbum.tsx");
const BackToAlbum = lazyPart(async () => ({ default: (await loadWayToAlbum()).BackToAlbum }), "nothing");
const GoneFromAlbum = lazyPart(async () => ({ default: (await loadWayToAlbum()).GoneFromAlbum }));
const AddPhotosButton = lazyPart(
  async () => ({ default: (await import("../../media/uploads/AddPhotosButton.tsx")).AddPhotosButton }),
  "nothing",
);
// Most memories have no day. One that has a day waits for it, so that nothing moves.
const DaySection = lazyPart(async () => ({
  default: (await import("../../features/day/DaySection.tsx")).DaySection,
}));
const SharedReply = lazyPart(() => import("./SharedReply.tsx"));
const OfflineMemory = lazyPart(() => import("../../media/offline/OfflineMemory.tsx"));
const AddByLink = lazyPart(() => import("../../features/guests/AddByLink.tsx"));

/** A memory opened by a share link: the link's own memory, or one of its album. */
export function SharedMemory({ share }: { share: OpenedShareContext & { memoryId: string } }) {
  const { t } = useTranslation(["memories", "guests"]);
  const { shareId, client, memoryId, session, onRefused } = share;
  useMemoryLive(client, memoryId);
  useStoriesLive(client, memoryId);
  useEntriesLive(client, memoryId);
  const memory = useQuery(memoryQuery(client, memoryId));
  const rights = useQuery(rightsQuery(client, memoryId));
  const photos = useMemoryPhotos(client, memoryId, undefined, { outline: true });
  const chosen = useChosenFiles();
  const content = useMemoryContent(client, memoryId, memory.data?.description);
  const copy = useLinkCopies(share);
  usePageTitle(memory.data?.person_name ?? "");

  // Null means that the link no longer opens the memory.
  const isGone = memory.data === null;
  useEffect(() => {
    if (!isGone) return;
    onRefused();
    void checkCopies(client, copy.cacheName).catch(() => {});
  }, [isGone, onRefused, client, copy.cacheName]);

  const failed = memory.isLoadingError || rights.isLoadingError;
  const isWaiting = !memory.data || !rights.data || !content.settled;
  const isSlow = useSlow(isWaiting);
  const waiting = <MemorySkeleton label={t("list.title")} />;
  if (failed || (isSlow && !isGone)) {
    const retry = () => Promise.all([memory.refetch(), rights.refetch()]);
    const instead = failed ? <Problem error={new Error(t("page.failed"))} retry={retry} /> : waiting;
    // The copy fills the queries.
    const context = { cacheName: copy.cacheName, memoryId, waiting, online: instead, missing: instead };
    return (
      <Suspense fallback={waiting}>
        <OfflineMemory {...context}>{waiting}</OfflineMemory>
      </Suspense>
    );
  }
  if (isGone && session.albumId !== null) return <GoneFromAlbum shareId={shareId} />;
  if (!memory.data || !rights.data || !content.settled) return waiting;
  const parts = content.day.data ?? [];
  return (
    <>
      {session.albumId !== null && <BackToAlbum shareId={shareId} client={client} albumId={session.albumId} />}
      <Suspense fallback={waiting}>
        <MemoryView
          context={{ client, memory: memory.data, rights: rights.data }}
          cover={(photos.isCoverKnown ? photos.cover : memory.data.cover) ?? null}
          photos={photos}
          onFailed={onRefused}
          heroAction={
            rights.data.contribute && <AddPhotosButton onFiles={chosen.add}>{t("guests:add.hero")}</AddPhotosButton>
          }
          onFiles={rights.data.contribute && ((files) => void chosen.add(files))}
          stories={
            <Stories
              memory={memory.data}
              stories={content.stories.data ?? []}
              media={content.media}
              toolsOf={readerTools}
            />
          }
          life={
            <EntriesSection
              memory={memory.data}
              entries={sectionEntries(memory.data.kind, content.entries.data ?? [])}
              media={content.media}
            />
          }
          day={
            parts.length > 0 && (
              <DaySection client={client} memory={memory.data} parts={parts} past={content.isDayPast}>
                {!content.isDayPast && parts.some(({ asks_replies }) => asks_replies) && (
                  <Suspense fallback={<Skeleton className="h-46 rounded-3xl" />}>
                    <SharedReply share={share} parts={parts} />
                  </Suspense>
                )}
              </DaySection>
            )
          }
          content={content}
          copy={copy}
        >
          {rights.data.contribute && (
            <Suspense fallback={<Skeleton className="h-44 rounded-3xl" />}>
              <AddByLink share={share} chosen={chosen} />
            </Suspense>
          )}
        </MemoryView>
      </Suspense>
    </>
  );
}
