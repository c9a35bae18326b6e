import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Row } from "../../../shared/database.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { CoverPhoto } from "../../data/memories.queries.ts";
import { descriptionOf } from "../../data/photo.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { PhotoChoice } from "../../media/PhotoChoice.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type Album, useChangeAlbum } from "./albums.queries.ts";

interface ChooseAlbumCoverProps {
  album: Album;
  open: boolean;
  onClose: () => void;
}

/** Chooses an album's cover among all photos of its memories, or the default. */
export function ChooseAlbumCover({ album, open, onClose }: ChooseAlbumCoverProps) {
  const { t } = useTranslation("albums");
  return (
    <Dialog
      title={t("cover.choose")}
      description={t("cover.text")}
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Choice album={album} onClose={onClose} />
    </Dialog>
  );
}

function Choice({ album, onClose }: Omit<ChooseAlbumCoverProps, "open">) {
  const { t } = useTranslation("albums");
  const photos = useInfiniteQuery(albumPhotosQuery(supabase, album.id));
  const change = useChangeAlbum(supabase, album.id);
  const choose = (cover_media_id: string | null) => {
    onClose();
    change.mutate(
      { cover_media_id },
      { onError: () => toast({ title: t("cover.failed"), description: t("unchanged"), tone: "problem" }) },
    );
  };
  if (photos.isPending) return <Skeleton className="h-60" />;
  if (photos.isLoadingError) return <Problem error={new Error(t("failed"))} retry={photos.refetch} />;
  const all = photos.data.pages.flat();
  if (all.length === 0) return <p>{t("cover.none")}</p>;
  return (
    <div className="grid gap-4">
      <ul className="grid max-h-[55dvh] grid-cols-3 gap-2 overflow-y-auto p-1 sm:grid-cols-4">
        {all.map((photo, index) => (
          <li key={photo.id}>
            <AlbumPhotoChoice
              photo={photo}
              number={index + 1}
              chosen={photo.id === album.cover_media_id}
              onChoose={() => choose(photo.id)}
            />
          </li>
        ))}
        <li className="col-span-full empty:hidden">
          <LoadMore pages={photos} label={t("cover.more")} />
        </li>
      </ul>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="plain" aria-pressed={!album.chosen} onClick={() => choose(null)}>
          {t("cover.first")}
        </Button>
      </div>
    </div>
  );
}

interface AlbumPhotoChoiceProps {
  photo: AlbumPhoto;
  /** Its position, counted from one. */
  number: number;
  chosen: boolean;
  onChoose: () => void;
}

function AlbumPhotoChoice({ photo, number, chosen, onChoose }: AlbumPhotoChoiceProps) {
  const { t, i18n } = useTranslation("albums");
  const memory = photo.memories.person_name;
  const date = photo.taken_at ? writtenDate(photo.taken_at, i18n.language) : "";
  const name = descriptionOf(photo) || memory;
  const label = t("cover.photo", { number, said: [name, date].filter(Boolean).join(", ") });
  return (
    <PhotoChoice photo={photo} label={label} chosen={chosen} onChoose={onChoose}>
      <span className="truncate text-sm leading-snug">{memory}</span>
      <span className="truncate text-sm leading-snug text-ink-soft empty:hidden">{date}</span>
    </PhotoChoice>
  );
}

interface AlbumPhoto extends CoverPhoto {
  type: Row<"media">["type"];
  memory_id: string;
  taken_at: string | null;
  caption: string;
  alt_text: string;
  pages: number | null;
  memories: { person_name: string };
}

const PAGE = 60;

/** Pages of the photos of an album's memories that can be its cover. */
const albumPhotosQuery = (client: SupabaseClient, albumId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.albums("photos", albumId),
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<AlbumPhoto[]> =>
      client
        .from("media")
        .select(
          "id,memory_id,taken_at,type,object_name,poster_name,colour,width,height,caption,alt_text,pages,memories!inner(album_id,person_name)",
        )
        .eq("memories.album_id", albumId)
        .eq("type", "image")
        .eq("state", "ready")
        .eq("moderation", "shown")
        .order("memory_id")
        .order("taken_order", { nullsFirst: false })
        .order("time_order", { nullsFirst: true })
        .order("id")
        .range(pageParam, pageParam + PAGE - 1)
        .abortSignal(signal)
        .then(unwrap("Failed to load photos")),
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length * PAGE : undefined),
  });
