import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useHiddenAlbums } from "../features/albums/album-deletions.queries.ts";
import { albumMemoriesQuery, albumQuery, useAlbumsLive } from "../features/albums/albums.queries.ts";
import { OwnAlbum } from "../features/albums/OwnAlbum.tsx";
import { ShareWindow } from "../features/sharing/ShareWindow.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { MemorySkeleton } from "../media/covers/MemorySkeleton.tsx";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../media/use-media-urls.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";

/** `/groups/{id}`: an album, for its owner. */
export default function AlbumPage() {
  const { t } = useTranslation("albums");
  const id = useRowId();
  useAlbumsLive(supabase);
  const album = useQuery(albumQuery(supabase, id));
  const memories = useInfiniteQuery(albumMemoriesQuery(supabase, id));
  const urls = useNewMediaUrlCache(supabase);
  const hidden = useHiddenAlbums();
  usePageTitle(album.data?.name ?? "");

  if (album.isPending || memories.isPending) return <MemorySkeleton label={t("title")} />;
  if (album.isLoadingError || !memories.data) {
    const retry = () => Promise.all([album.refetch(), memories.refetch()]);
    return <Problem error={new Error(t("failed"))} retry={retry} />;
  }
  if (!album.data || hidden.has(id)) {
    return (
      <Empty picture="signpost" page title={t("missingTitle")} text={t("missingText")}>
        <Button asChild>
          <Link to={paths.albums()}>{t("toAlbums")}</Link>
        </Button>
      </Empty>
    );
  }
  return (
    <MediaUrlCacheProvider value={urls}>
      <OwnAlbum
        key={id}
        album={album.data}
        memories={memories.data}
        pages={memories}
        share={<ShareWindow of={{ kind: "album", id, name: album.data.name, usualRights: "comment" }} />}
      />
    </MediaUrlCacheProvider>
  );
}
