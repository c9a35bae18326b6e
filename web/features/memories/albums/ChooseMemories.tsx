import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "../../../lib/session.ts";
import { supabase } from "../../../lib/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { Cover } from "../MemoryHero.tsx";
import { type MemorySummary, memoriesQuery } from "../memories.queries.ts";
import { useWantedPhoto } from "../photos/near.ts";
import { type Album, albumsQuery, usePutInAlbum } from "./albums.queries.ts";

interface ChooseMemoriesProps {
  album: Album;
  open: boolean;
  onClose: () => void;
}

/** Offers the person's other memories to be put into an album. */
export function ChooseMemories({ album, open, onClose }: ChooseMemoriesProps) {
  const { t } = useTranslation("albums");
  return (
    <Dialog
      title={t("putTitle")}
      description={t("putText")}
      open={open}
      onOpenChange={(wanted) => !wanted && onClose()}
    >
      <Choice album={album} onClose={onClose} />
    </Dialog>
  );
}

function Choice({ album, onClose }: Omit<ChooseMemoriesProps, "open">) {
  const { t } = useTranslation("albums");
  const { id: userId } = useUser();
  const memories = useQuery(memoriesQuery(supabase, userId));
  const albums = useQuery(albumsQuery(supabase, userId));
  const put = usePutInAlbum(supabase);
  const [chosen, setChosen] = useState<readonly string[]>([]);

  if (memories.isPending || albums.isPending) return <Skeleton className="h-60" />;
  if (memories.isError || albums.isError) {
    const retry = () => Promise.all([memories.refetch(), albums.refetch()]);
    return <Problem error={new Error(t("failed"))} retry={retry} />;
  }
  const others = memories.data.filter(({ id, draft }) => !draft && !album.memories.some((memory) => memory.id === id));
  if (others.length === 0) return <p>{t("putNone")}</p>;
  const albumOf = (id: string) => albums.data.find((other) => other.memories.some((memory) => memory.id === id));
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);

  return (
    <div className="grid gap-5">
      <ul className="grid max-h-[50dvh] gap-1 overflow-y-auto p-1">
        {others.map((memory) => (
          <li key={memory.id}>
            <MemoryChoice
              memory={memory}
              album={albumOf(memory.id)?.name}
              chosen={chosen.includes(memory.id)}
              onToggle={() => toggle(memory.id)}
            />
          </li>
        ))}
      </ul>
      <Button
        size="large"
        disabled={chosen.length === 0}
        aria-busy={put.isPending}
        onClick={() =>
          put.mutate(
            { albumId: album.id, ids: [...chosen] },
            {
              onSuccess: onClose,
              onError: () => toast({ title: t("putFailed"), description: t("unchanged"), tone: "problem" }),
            },
          )
        }
      >
        {t("done", { count: chosen.length })}
      </Button>
    </div>
  );
}

interface MemoryChoiceProps {
  memory: MemorySummary;
  /** The name of the album it is in. */
  album: string | undefined;
  chosen: boolean;
  onToggle: () => void;
}

function MemoryChoice({ memory, album, chosen, onToggle }: MemoryChoiceProps) {
  const { t } = useTranslation("albums");
  const near = useWantedPhoto(memory.cover);
  return (
    <label className="relative flex min-h-16 cursor-pointer items-center gap-4 rounded-2xl p-2 hover:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-deep">
      <input
        type="checkbox"
        checked={chosen}
        onChange={onToggle}
        className="peer absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="relative size-14 shrink-0 overflow-hidden rounded-xl">
        <Cover memory={memory} cover={memory.cover} near={near} sizes="56px" className="size-full" />
      </span>
      <span className="grid min-w-0 grow">
        <span className="truncate font-semibold">{memory.person_name}</span>
        {album && <span className="truncate text-sm text-ink-soft">{t("inAlbum", { name: album })}</span>}
      </span>
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-content-center rounded-full border-2 border-edge text-on-deep peer-checked:border-deep peer-checked:bg-deep"
      >
        {chosen && <Check className="size-4" />}
      </span>
    </label>
  );
}
