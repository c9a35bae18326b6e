import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { supabase } from "../../lib/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useDeletePhoto, useHiddenPhotos } from "../media/deletions.queries.ts";
import { type Photo, useChooseCover } from "../media/media.queries.ts";
import { useForgetShown, useUploads } from "../media/uploads.queries.ts";
import { DeleteMemory } from "./DeleteMemory.tsx";
import { MemoryEditor } from "./MemoryEditor.tsx";
import { MemoryHero } from "./MemoryHero.tsx";
import { MemoryStory } from "./MemoryStory.tsx";
import type { Memory, MemoryChanges } from "./memories.queries.ts";
import { PhotoSection } from "./PhotoSection.tsx";
import { AddPhotosButton } from "./photos/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "./photos/uploads/DropAnywhere.tsx";
import { UploadTray } from "./photos/uploads/UploadTray.tsx";
import { useAddPhotos } from "./photos/uploads/use-add-photos.ts";
import { useMemoryPhotos } from "./photos/use-memory-photos.ts";
import { useSaveWords } from "./use-save-words.ts";

const ON_COVER = "border-white/40! bg-black/40! text-white! backdrop-blur-sm hover:border-white! hover:bg-black/65!";

/**
 * A memory as its owner sees it, with everything that can be done. Sharing has its place under the name: the route that
 * stands inside this one fills it, and is handed the memory.
 */
export function OwnMemory({ memory }: { memory: Memory }) {
  const { t } = useTranslation(["memories", "media"]);
  const [editing, setEditing] = useState(false);
  const [written, setWritten] = useState<MemoryChanges>();
  const [deleting, setDeleting] = useState(false);

  const photos = useMemoryPhotos(supabase, memory.id, useHiddenPhotos());
  const { cover, urls } = photos;
  const chooseCover = useChooseCover(supabase, memory.id);
  const remove = useDeletePhoto();
  const addPhotos = useAddPhotos(memory.id);
  const add = (files: File[]) => void addPhotos(files, photos.query.isSuccess && !cover);
  const saveWords = useSaveWords(memory);
  const arrivals = useUploads(memory.id);
  useForgetShown(arrivals, photos.photos);

  const actions = {
    remove,
    chooseCover: (photo: Photo) =>
      chooseCover.mutate(photo.id, {
        onSuccess: () => toast({ title: t("media:cover.chosen"), tone: "success" }),
        onError: () => toast({ title: t("media:cover.failed"), tone: "problem" }),
      }),
  };
  const done = () => {
    setEditing(false);
    setWritten(undefined);
  };

  return (
    <article className="grid gap-10 sm:gap-14">
      <DropAnywhere onFiles={add} />
      <MemoryHero memory={{ ...memory, ...written }} cover={cover} coverUrl={cover && urls[cover.object_name]}>
        <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
          <Outlet context={memory} />
          {!editing && (
            <Button variant="quiet" className={ON_COVER} onClick={() => setEditing(true)}>
              <Pencil aria-hidden className="size-5 max-[26rem]:hidden" />
              {t("page.edit")}
            </Button>
          )}
          <Menu
            align="start"
            trigger={
              <IconButton label={t("page.more")} className={`border ${ON_COVER}`}>
                <Ellipsis aria-hidden className="size-5" />
              </IconButton>
            }
          >
            <MenuItem tone="danger" onSelect={() => setDeleting(true)}>
              <Trash2 aria-hidden className="size-5" />
              {t("page.delete")}
            </MenuItem>
          </Menu>
        </div>
      </MemoryHero>
      <div className="px-5 empty:hidden sm:px-8">
        {editing ? (
          <MemoryEditor
            memory={memory}
            onWritten={setWritten}
            onCancel={done}
            onSave={(words) => {
              saveWords(words);
              done();
            }}
          />
        ) : memory.description ? (
          <MemoryStory html={memory.description} />
        ) : (
          <p className="text-center">
            <Button variant="plain" onClick={() => setEditing(true)}>
              <Pencil aria-hidden className="size-5" />
              {t("page.addStory")}
            </Button>
          </p>
        )}
      </div>
      <PhotoSection
        photos={photos}
        actions={actions}
        arriving={arrivals.files.length > 0}
        tools={<AddPhotosButton variant="quiet" onFiles={add} />}
      >
        <UploadTray uploads={arrivals} />
      </PhotoSection>
      <DeleteMemory memory={memory} photoCount={photos.photos.length} open={deleting} onOpenChange={setDeleting} />
    </article>
  );
}
