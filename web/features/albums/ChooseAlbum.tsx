import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { albumOfQuery, albumsQuery, usePutInAlbum } from "./albums.queries.ts";

interface ChooseAlbumProps {
  memory: { id: string; person_name: string };
  open: boolean;
  onClose: () => void;
}

/** Moves a memory into one of its owner's albums, or out of it. */
export function ChooseAlbum({ memory, open, onClose }: ChooseAlbumProps) {
  const { t } = useTranslation("albums");
  return (
    <Dialog
      title={t("choose.title")}
      description={t("choose.text", { name: memory.person_name })}
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Choice memory={memory} onClose={onClose} />
    </Dialog>
  );
}

function Choice({ memory, onClose }: Omit<ChooseAlbumProps, "open">) {
  const { t } = useTranslation("albums");
  const { id: userId } = useUser();
  const albums = useInfiniteQuery(albumsQuery(supabase, userId));
  const album = useQuery(albumOfQuery(supabase, memory.id));
  const put = usePutInAlbum(supabase);
  if (albums.isPending || album.isPending) return <Skeleton className="h-40" />;
  if (!albums.data || album.data === undefined) {
    const retry = () => Promise.all([albums.refetch(), album.refetch()]);
    return <Problem error={new Error(t("failed"))} retry={retry} />;
  }
  const present = album.data;
  const choose = (album?: { id: string; name: string }) => {
    onClose();
    if (album?.id === present?.id) return;
    put.mutate(
      { albumId: album?.id ?? null, ids: [memory.id] },
      {
        onSuccess: () =>
          toast({ title: album ? t("choose.put", { name: album.name }) : t("choose.out"), tone: "success" }),
        onError: () => toast({ title: t("putFailed"), description: t("unchanged"), tone: "problem" }),
      },
    );
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {albums.data.length === 0 ? (
        <p className="text-ink-soft">{t("emptyText")}</p>
      ) : (
        <fieldset className="m-0 grid min-w-0 gap-1 border-0 p-0">
          <legend className="sr-only">{t("choose.title")}</legend>
          {[undefined, ...albums.data].map((album) => (
            <label
              key={album?.id ?? ""}
              className="flex min-h-12 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-wash has-checked:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-deep"
            >
              <input
                type="radio"
                name="album"
                defaultChecked={album?.id === present?.id}
                // Arrow keys only move through the choices; a click or Enter chooses.
                onClick={({ detail }) => detail > 0 && choose(album)}
                onKeyDown={({ key }) => key === "Enter" && choose(album)}
                className="size-5 shrink-0 accent-deep"
              />
              <span
                dir="auto"
                className={album ? "min-w-0 py-2 leading-snug font-semibold wrap-anywhere" : "text-ink-soft"}
              >
                {album?.name ?? t("choose.none")}
              </span>
            </label>
          ))}
          <LoadMore pages={albums} />
        </fieldset>
      )}
      <Button asChild variant="quiet" className="justify-self-start">
        <Link to={paths.albums()}>{t("toAlbums")}</Link>
      </Button>
    </div>
  );
}
