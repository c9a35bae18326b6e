import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowUpDown, Check, FolderPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { AlbumCard } from "../features/albums/AlbumCard.tsx";
import { useHiddenAlbums } from "../features/albums/album-deletions.queries.ts";
import { albumsQuery, useAlbumsLive, useArrangeAlbums } from "../features/albums/albums.queries.ts";
import { NewAlbum } from "../features/albums/NewAlbum.tsx";
import { useArrangeLabels } from "../features/albums/use-arrange-labels.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../media/use-media-urls.ts";
import { ArrangeList } from "../ui/ArrangeList.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { LoadMore } from "../ui/LoadMore.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { toast } from "../ui/toasts.tsx";

const GRID = "grid grid-cols-1 gap-5 sm:grid-cols-2 sm:gap-6 xl:grid-cols-3";
const IN_SIGHT = 3;

/** `/groups`: the person's albums. */
export default function AlbumsPage() {
  const { t } = useTranslation("albums");
  const { id: userId } = useUser();
  usePageTitle(t("title"));
  useAlbumsLive(supabase);
  const albums = useInfiniteQuery(albumsQuery(supabase, userId));
  const arrange = useArrangeAlbums(supabase, userId);
  const labels = useArrangeLabels();
  const urls = useNewMediaUrlCache(supabase);
  const hidden = useHiddenAlbums();
  const [arranging, setArranging] = useState(false);
  const [creating, setCreating] = useState(false);
  const visible = (albums.data ?? []).filter(({ id }) => !hidden.has(id));

  const create = (
    <Button onClick={() => setCreating(true)}>
      <FolderPlus aria-hidden className="size-5" />
      <span className={visible.length > 0 ? "max-[30rem]:sr-only" : undefined}>{t("new")}</span>
    </Button>
  );
  return (
    <MediaUrlCacheProvider value={urls}>
      <div className="page-width grid gap-6 py-8 sm:py-12">
        <div className="flex min-h-14 flex-wrap items-center justify-between gap-4">
          <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
          {visible.length > 0 && (
            <div className="flex gap-2">
              {visible.length > 1 && (
                <Button variant="quiet" aria-pressed={arranging} onClick={() => setArranging(!arranging)}>
                  {arranging ? (
                    <Check aria-hidden className="size-5" />
                  ) : (
                    <ArrowUpDown aria-hidden className="size-5" />
                  )}
                  <span className="max-[30rem]:sr-only">{arranging ? t("arranged") : t("arrange")}</span>
                </Button>
              )}
              {create}
            </div>
          )}
        </div>
        {albums.isPending ? (
          <Waiting label={t("title")} />
        ) : albums.isLoadingError ? (
          <Problem error={new Error(t("failed"))} retry={albums.refetch} />
        ) : visible.length === 0 ? (
          <Empty picture="albums" title={t("emptyTitle")} text={t("emptyText")}>
            {create}
          </Empty>
        ) : (
          <>
            <ArrangeList
              name="albums"
              items={visible}
              nameOf={({ name }) => name}
              arranging={arranging && visible.length > 1}
              onArrange={(ids) =>
                arrange.mutate(ids, {
                  onError: () => toast({ title: t("arrangeFailed"), description: t("unchanged"), tone: "problem" }),
                })
              }
              labels={labels}
              className={GRID}
            >
              {(album, place) => <AlbumCard album={album} eager={place < IN_SIGHT} />}
            </ArrangeList>
            <LoadMore pages={albums} />
          </>
        )}
      </div>
      <NewAlbum open={creating} onOpenChange={setCreating} />
    </MediaUrlCacheProvider>
  );
}

function Waiting({ label }: { label: string }): ReactNode {
  return (
    <div className={GRID} role="status" aria-label={label}>
      {[1, 2, 3].map((card) => (
        <div key={card} className="pt-3">
          <Skeleton className="h-88 rounded-3xl sm:h-100" />
        </div>
      ))}
    </div>
  );
}
