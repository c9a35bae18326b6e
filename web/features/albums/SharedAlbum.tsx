import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { PhotoRef } from "../../data/photo.ts";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { MemoryCard } from "../../media/covers/MemoryCard.tsx";
import { MemorySkeleton } from "../../media/covers/MemorySkeleton.tsx";
import { useDownload } from "../../media/downloads/downloads.queries.ts";
import { useLinkCopies } from "../../media/offline/use-copies.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { WindowedGrid } from "../../ui/WindowedGrid.tsx";
import { AlbumHead } from "./AlbumHead.tsx";
import { albumMemoriesQuery, albumQuery, useAlbumsLive } from "./albums.queries.ts";

const OfflineMemory = lazyPart(() => import("../../media/offline/OfflineMemory.tsx"));
const OfflineCopy = lazyPart(() => import("../../media/offline/OfflineCopy.tsx"), "nothing");

const NO_PHOTOS: PhotoRef[] = [];
const IN_SIGHT = 3;

/** The page of an album's link. It lists the album's memories; each one opens through the same link. */
export function SharedAlbum({ share, albumId }: { share: OpenedShareContext; albumId: string }) {
  const { t } = useTranslation(["albums", "downloads"]);
  const { shareId, client, session, onRefused } = share;
  useAlbumsLive(client);
  const album = useQuery(albumQuery(client, albumId));
  const memories = useInfiniteQuery(albumMemoriesQuery(client, albumId));
  const urls = useNewMediaUrlCache(client);
  const download = useDownload(client);
  const copy = useLinkCopies(share);
  usePageTitle(album.data?.name ?? "");

  const isGone = album.data === null;
  useEffect(() => {
    if (isGone) onRefused();
  }, [isGone, onRefused]);

  if (album.isLoadingError || memories.isLoadingError) {
    const retry = () => Promise.all([album.refetch(), memories.refetch()]);
    const failed = <Problem error={new Error(t("shared.failed"))} retry={retry} />;
    const waiting = <MemorySkeleton label={t("title")} />;
    // The copy fills the queries.
    const context = { cacheName: copy.cacheName, memoryId: albumId, waiting, online: failed, missing: failed };
    return (
      <Suspense fallback={waiting}>
        <OfflineMemory {...context}>{waiting}</OfflineMemory>
      </Suspense>
    );
  }
  if (!album.data || !memories.data) return <MemorySkeleton label={t("title")} />;
  const { name, memory_count } = album.data;
  return (
    <MediaUrlCacheProvider value={urls}>
      <Suspense>
        <OfflineCopy owner={copy} id={albumId} title={name} photos={NO_PHOTOS} />
      </Suspense>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-8 pb-16">
        <AlbumHead
          album={album.data}
          title={
            <h1
              dir="auto"
              className="max-w-4xl font-serif text-(length:--head-name) leading-[1.08] wrap-anywhere text-shadow-lg"
            >
              {name}
            </h1>
          }
        >
          {session.allowsDownload && memory_count > 0 && (
            <Button icon={Download} variant="cover" onClick={() => download({ albumId }, name)}>
              {t("downloads:download")}
            </Button>
          )}
        </AlbumHead>
        {memories.data.length === 0 ? (
          <p className="px-5 py-10 text-center text-ink-soft">{t("shared.empty")}</p>
        ) : (
          <div className="page-width grid gap-6">
            <WindowedGrid
              name="shared album"
              items={memories.data}
              keyOf={({ id }) => id}
              total={Math.max(memory_count, memories.data.length)}
              className="grid grid-cols-1 gap-5 sm:grid-cols-2 sm:gap-6 xl:grid-cols-3"
            >
              {(memory, index) => (
                <MemoryCard memory={memory} to={paths.shared(shareId, memory.id)} eager={index < IN_SIGHT} />
              )}
            </WindowedGrid>
            <LoadMore pages={memories} />
          </div>
        )}
      </article>
    </MediaUrlCacheProvider>
  );
}
