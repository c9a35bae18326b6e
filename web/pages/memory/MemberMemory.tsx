import { Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useHiddenPhotos } from "../../actions/delete-photos.ts";
import type { Photo } from "../../data/media.queries.ts";
import type { MemoryAtAGlance, MemoryChanges } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { ChooseAlbum } from "../../features/albums/ChooseAlbum.tsx";
import { MemberDay } from "../../features/day/MemberDay.tsx";
import { DeleteMemory } from "../../features/memories/DeleteMemory.tsx";
import { MemoryConflict } from "../../features/memories/MemoryConflict.tsx";
import { MemoryEditor } from "../../features/memories/MemoryEditor.tsx";
import { useSaveMemory } from "../../features/memories/use-save-memory.ts";
import { CoverDialog } from "../../features/photos/cover/CoverDialog.tsx";
import { MoveDialog } from "../../features/photos/selection/MoveDialog.tsx";
import { usePhotoActions } from "../../features/photos/use-photo-actions.ts";
import { MemberStories } from "../../features/stories/MemberStories.tsx";
import { MemberEntries } from "../../features/timeline/MemberEntries.tsx";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { usePersonCopies } from "../../media/offline/use-copies.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { useAddPhotos } from "../../media/uploads/use-add-photos.ts";
import { useForgetShown, useUploads } from "../../media/uploads/use-uploads.ts";
import { useMemoryPhotos } from "../../media/use-memory-photos.ts";
import type { MemoryActions } from "./MemoryTools.tsx";
import { MemoryView } from "./MemoryView.tsx";
import type { MemoryContentQueries } from "./use-memory-content.ts";

const RecordButton = lazyPart(
  async () => ({ default: (await import("../../media/recording/RecordButton.tsx")).RecordButton }),
  "nothing",
);

const NONE: Photo[] = [];
const NO_TOOLS: MemoryActions = {};

interface MemberMemoryProps {
  context: MemoryContext & { memory: MemoryAtAGlance };
  content: MemoryContentQueries;
}

/** A memory for a signed-in person, with the actions of their role: owner, co-owner, contributor or viewer. */
export function MemberMemory({ context, content }: MemberMemoryProps) {
  const { client, memory, rights } = context;
  const { t } = useTranslation("guests");
  const [written, setWritten] = useState<MemoryChanges>();
  // The forms stay open behind a dialog.
  const [editing, setEditing] = useState(false);
  const [addingPart, setAddingPart] = useState(false);
  const [open, setOpen] = useState<"cover" | "album" | "delete">();
  const [moving, setMoving] = useState(NONE);

  const photos = useMemoryPhotos(client, memory.id, useHiddenPhotos(), { outline: true });
  // The memory's own row names its cover, which is used until the photos are loaded.
  const cover = (photos.isCoverKnown ? photos.cover : memory.cover) ?? null;
  const adjustCover = useCallback(() => setOpen("cover"), []);
  const actions = usePhotoActions(context, setMoving, adjustCover);
  const addPhotos = useAddPhotos(memory.id);
  const add = (files: File[]) => void addPhotos(files, rights.manage && photos.query.isSuccess && !cover);
  const { save: saveWords, ...conflicting } = useSaveMemory(memory.id);
  const uploads = useUploads(memory.id);
  useForgetShown(uploads, photos.photos);
  const close = () => setOpen(undefined);
  const endEditing = () => {
    setEditing(false);
    setWritten(undefined);
  };

  const hasPhotos = photos.query.isSuccess ? photos.photos.length > 0 : memory.photo_count > 0;
  const tools: MemoryActions = {
    edit: () => setEditing(true),
    ...(content.day.data?.length === 0 && { day: () => setAddingPart(true) }),
    ...(hasPhotos && { cover: adjustCover }),
    ...(rights.delete && { album: () => setOpen("album"), remove: () => setOpen("delete") }),
  };

  return (
    <>
      {rights.contribute && <DropAnywhere onFiles={add} />}
      <MemoryView
        context={context}
        cover={cover}
        written={written}
        photos={photos}
        actions={actions}
        arriving={uploads.files.length > 0}
        onFiles={rights.contribute && ((files) => addPhotos(files, false))}
        photoTools={
          rights.contribute && (
            <>
              <Suspense fallback={<span className="size-11" />}>
                <RecordButton memoryId={memory.id} onFiles={(files) => addPhotos(files, false)} />
              </Suspense>
              <AddPhotosButton variant="quiet" onFiles={add} />
            </>
          )
        }
        heroAction={
          rights.contribute && !rights.manage && <AddPhotosButton onFiles={add}>{t("add.hero")}</AddPhotosButton>
        }
        tools={rights.manage ? tools : NO_TOOLS}
        editor={
          editing && (
            <MemoryEditor
              memory={memory}
              onWritten={setWritten}
              onCancel={endEditing}
              onSave={(values, base) => {
                saveWords(values, base);
                endEditing();
              }}
            />
          )
        }
        stories={<MemberStories {...context} query={content.stories} media={content.media} />}
        life={<MemberEntries {...context} query={content.entries} media={content.media} />}
        day={
          <MemberDay
            {...context}
            parts={content.day.data ?? []}
            past={content.isDayPast}
            adding={addingPart}
            onAdding={setAddingPart}
          />
        }
        content={content}
        copy={usePersonCopies()}
      >
        {rights.contribute && <UploadTray uploads={uploads} />}
      </MemoryView>
      <MemoryConflict {...conflicting} />
      {rights.manage && (
        <CoverDialog context={context} cover={cover} photos={photos} open={open === "cover"} onClose={close} />
      )}
      {rights.manage && <MoveDialog photos={moving} onClose={() => setMoving(NONE)} onMoved={() => setMoving(NONE)} />}
      {rights.delete && <ChooseAlbum memory={memory} open={open === "album"} onClose={close} />}
      {rights.delete && (
        <DeleteMemory
          memory={memory}
          photoCount={photos.photos.length}
          open={open === "delete"}
          onOpenChange={(isOpen) => setOpen(isOpen ? "delete" : undefined)}
        />
      )}
    </>
  );
}
