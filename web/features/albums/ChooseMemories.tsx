import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedMemory } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Cover, useDatesOrCreated } from "../../media/covers/MemoryCover.tsx";
import { MemoryPicker } from "../../media/covers/MemoryPicker.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type Album, usePutInAlbum } from "./albums.queries.ts";

interface ChooseMemoriesProps {
  album: Album;
  open: boolean;
  onClose: () => void;
}

/** Adds other memories of the person to an album. */
export function ChooseMemories({ album, open, onClose }: ChooseMemoriesProps) {
  const { t } = useTranslation("albums");
  return (
    <Dialog
      title={t("putTitle")}
      description={t("putText")}
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Choice album={album} onClose={onClose} />
    </Dialog>
  );
}

function Choice({ album, onClose }: Omit<ChooseMemoriesProps, "open">) {
  const { t } = useTranslation("albums");
  const put = usePutInAlbum(supabase);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);

  return (
    <div className="grid gap-5">
      <MemoryPicker offers={(memory) => memory.album?.id !== album.id} none={t("putNone")} failed={t("failed")}>
        {(memory) => (
          <MemoryChoice memory={memory} chosen={chosen.includes(memory.id)} onToggle={() => toggle(memory.id)} />
        )}
      </MemoryPicker>
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
  memory: ListedMemory;
  chosen: boolean;
  onToggle: () => void;
}

function MemoryChoice({ memory, chosen, onToggle }: MemoryChoiceProps) {
  const { t } = useTranslation(["albums", "memories"]);
  const urls = useMediaUrls(memory.cover);
  const dates = useDatesOrCreated();
  return (
    <label className="relative flex min-h-16 cursor-pointer items-center gap-4 rounded-2xl p-2 hover:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-deep">
      <input
        type="checkbox"
        checked={chosen}
        onChange={onToggle}
        className="peer absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="relative size-14 shrink-0 overflow-hidden rounded-xl">
        <Cover memory={memory} cover={memory.cover} urls={urls} sizes="56px" className="size-full" />
      </span>
      <span className="grid min-w-0 grow">
        <span dir="auto" className="line-clamp-2 font-semibold">
          {memory.person_name}
        </span>
        <span className="truncate text-sm text-ink-soft">{dates(memory)}</span>
        <span className="truncate text-sm text-ink-soft">
          {memory.album
            ? t("inAlbum", { name: memory.album.name })
            : memory.photo_count > 0
              ? t("memories:list.photos", { count: memory.photo_count })
              : t("memories:list.noPhotos")}
        </span>
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
