import { ArrowUpDown, Check, Download, Ellipsis, ImageUp, Plus, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { MemorySummary } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { MemoryCard } from "../../media/covers/MemoryCard.tsx";
import { useDownload } from "../../media/downloads/downloads.queries.ts";
import { paths } from "../../paths.ts";
import { ArrangeList } from "../../ui/ArrangeList.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { LoadMore, type Pages } from "../../ui/LoadMore.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AlbumHead } from "./AlbumHead.tsx";
import { AlbumTitle } from "./AlbumTitle.tsx";
import { useDeleteAlbum } from "./album-deletions.queries.ts";
import { type Album, type AlbumMemory, useArrangeAlbum, usePutInAlbum } from "./albums.queries.ts";
import { ChooseAlbumCover } from "./ChooseAlbumCover.tsx";
import { ChooseMemories } from "./ChooseMemories.tsx";
import { useArrangeLabels } from "./use-arrange-labels.ts";

const IN_SIGHT = 3;

interface OwnAlbumProps {
  album: Album;
  /** The memories that are loaded so far. */
  memories: AlbumMemory[];
  pages: Pages;
  /** The button that shares the album. */
  share: ReactNode;
}

/** An album's page for its owner, with all actions. */
export function OwnAlbum({ album, memories, pages, share }: OwnAlbumProps) {
  const { t } = useTranslation(["albums", "downloads"]);
  const navigate = useNavigate();
  const [open, setOpen] = useState<"put" | "cover">();
  const [arranging, setArranging] = useState(false);
  const arrange = useArrangeAlbum(supabase, album.id);
  const put = usePutInAlbum(supabase);
  const remove = useDeleteAlbum();
  const download = useDownload(supabase);
  const labels = useArrangeLabels();
  const several = memories.length > 1;
  const failed = (title: string) => () => toast({ title, description: t("unchanged"), tone: "problem" });
  const close = () => setOpen(undefined);

  const takeOut = (memory: MemorySummary) => {
    const order = memories.map(({ id }) => id);
    const back = () =>
      put.mutate(
        { albumId: album.id, ids: [memory.id] },
        {
          onSuccess: () => arrange.mutate(order, { onError: failed(t("arrangeFailed")) }),
          onError: failed(t("putFailed")),
        },
      );
    put.mutate(
      { albumId: null, ids: [memory.id] },
      {
        onSuccess: () =>
          toast({
            title: t("takenOut", { name: memory.person_name }),
            action: { label: t("undo"), onSelect: back },
          }),
        onError: failed(t("putFailed")),
      },
    );
  };

  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-8 pb-16">
      <AlbumHead album={album} title={<AlbumTitle album={album} />}>
        {share}
        <Button icon={Plus} variant="cover" onClick={() => setOpen("put")}>
          <span className="max-[26rem]:sr-only">{t("put")}</span>
        </Button>
        <Menu align="start" trigger={<IconButton icon={Ellipsis} label={t("more")} variant="cover" />}>
          <MenuItem icon={ImageUp} onSelect={() => setOpen("cover")}>
            {t("cover.choose")}
          </MenuItem>
          <MenuItem
            icon={Download}
            disabled={album.memory_count === 0}
            onSelect={() => download({ albumId: album.id }, album.name)}
          >
            {t("downloads:download")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={Trash2}
            tone="danger"
            onSelect={() => {
              remove(album);
              navigate(paths.albums());
            }}
          >
            {t("delete")}
          </MenuItem>
        </Menu>
      </AlbumHead>
      <section aria-label={t("memories", { count: album.memory_count })} className="page-width grid gap-4">
        {several && (
          <Button
            icon={arranging ? Check : ArrowUpDown}
            variant="quiet"
            size="small"
            aria-pressed={arranging}
            onClick={() => setArranging(!arranging)}
            className="justify-self-end"
          >
            {arranging ? t("arranged") : t("arrange")}
          </Button>
        )}
        {memories.length === 0 ? (
          <Empty picture="albums" title={t("emptyAlbumTitle")} text={t("emptyAlbumText")}>
            <Button icon={Plus} onClick={() => setOpen("put")}>
              {t("put")}
            </Button>
          </Empty>
        ) : (
          <ArrangeList
            name="album"
            items={memories}
            total={Math.max(album.memory_count, memories.length)}
            nameOf={({ person_name }) => person_name}
            arranging={arranging && several}
            onArrange={(ids) => arrange.mutate(ids, { onError: failed(t("arrangeFailed")) })}
            labels={labels}
            className="grid grid-cols-1 gap-5 sm:grid-cols-2 sm:gap-6 xl:grid-cols-3"
          >
            {(memory, place) => (
              <>
                <MemoryCard memory={memory} eager={place < IN_SIGHT} />
                {!arranging && (
                  <IconButton
                    icon={X}
                    label={t("takeOut", { name: memory.person_name })}
                    onClick={() => takeOut(memory)}
                    variant="cover"
                    className="absolute top-3 right-3"
                  />
                )}
              </>
            )}
          </ArrangeList>
        )}
        <LoadMore pages={pages} />
      </section>
      <ChooseMemories album={album} open={open === "put"} onClose={close} />
      <ChooseAlbumCover album={album} open={open === "cover"} onClose={close} />
    </article>
  );
}
