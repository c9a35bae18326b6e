import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type PhotoEdit, writtenEdit } from "../../../../shared/photo-edit.ts";
import { photosQuery } from "../../../data/media.queries.ts";
import type { Photo } from "../../../data/photo.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { NotUndone, saveOver } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { changeData, refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

/** The most photos of one request. */
const AT_ONCE = 1000;

interface Turning {
  ids: string[];
  degrees: number;
  isUndo?: boolean;
}

/**
 * Returns a mutation that turns photos as they are shown. Resolves to the ids of those that were turned. An undo rejects
 * with `NotUndone` if it could not turn all.
 */
export function useTurn(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    // Requests run in sequence, because the undo may be pressed before the photos were reloaded.
    scope: { id: `edits-${memoryId}` },
    mutationFn: async ({ ids, degrees, isUndo }: Turning): Promise<string[]> => {
      const turned: string[] = [];
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const part = { ids: ids.slice(at, at + AT_ONCE), degrees };
        turned.push(...(await client.rpc("turn_media", part).then(unwrap("Failed to turn photos"))));
      }
      if (isUndo && turned.length < ids.length) throw new NotUndone();
      return turned;
    },
    onSettled: () => refresh(cache, queryKeys.photos(memoryId), queryKeys.memory(memoryId), queryKeys.memories()),
  });
}

/** How a photo is shown, with the revision of its row. */
type EditRow = Pick<Photo, "edit" | "revision">;

interface SetEdit {
  photo: Pick<Photo, "id" | "edit" | "revision">;
  edit: PhotoEdit | null;
}

const COLUMNS = "edit,width,height,revision" as const;

/**
 * Returns a mutation that stores how a photo is shown, over the edit on which it is based. Resolves to the stored row.
 * Rejects with `EditConflict` if somebody else has edited it meanwhile.
 */
export function useSetEdit(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = photosQuery(client, memoryId);
  const table = () => client.from("media");
  return useMutation({
    scope: { id: `edits-${memoryId}` },
    mutationFn: async ({ photo: { id, edit: before, revision }, edit }: SetEdit) =>
      saveOver<EditRow>(
        { edit: writtenEdit(before), revision },
        { edit: writtenEdit(edit) },
        {
          failure: "Failed to save how the photo is shown",
          write: async (changes) => written(await table().update(changes).eq("id", id).select(COLUMNS).maybeSingle()),
          read: async () => written(await table().select(COLUMNS).eq("id", id).maybeSingle()),
        },
      ),
    onSuccess: (stored, { photo: { id } }) =>
      changeData<Photo[]>(cache, queryKey, (photos) =>
        photos.map((photo) => (photo.id === id ? { ...photo, revision: stored.revision } : photo)),
      ),
    onSettled: () => refresh(cache, queryKey, queryKeys.memory(memoryId), queryKeys.memories()),
  });
}

/** An answer whose edit can be compared: the size of the file is left out. */
const written = <Answer extends { data: EditRow | null }>(answer: Answer): Answer => ({
  ...answer,
  data: answer.data && { ...answer.data, edit: writtenEdit(answer.data.edit) },
});
