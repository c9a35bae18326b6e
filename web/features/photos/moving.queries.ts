import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Photo } from "../../data/photo.ts";
import { queryKeys, refresh } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** Which photos could be moved, and why the others could not where the server said so. */
export interface Moved {
  moved: Photo[];
  left: Photo[];
  /** There was no storage left where they would have gone. */
  full: boolean;
}

const AT_ONCE = 4;

/** The name of a photo's object in another memory. */
const nameIn = (memoryId: string, objectName: string) => `${memoryId}/${objectName.split("/").at(-1)}`;

/**
 * Moves photos to another memory by the storage protocol's own call, on which bytes follow names; a video's poster goes
 * with it. Resolves also where some could not be moved.
 */
export async function movePhotos(client: SupabaseClient, photos: readonly Photo[], memoryId: string): Promise<Moved> {
  const result: Moved = { moved: [], left: [], full: false };
  const waiting = [...photos];
  const work = async () => {
    for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
      const to = nameIn(memoryId, photo.object_name);
      const { error } = await client.storage.from("media").move(photo.object_name, to);
      if (error) {
        result.left.push(photo);
        if ("statusCode" in error && Number(error.statusCode) === 507) result.full = true;
        continue;
      }
      if (photo.poster_name) {
        await client.storage.from("posters").move(photo.poster_name, nameIn(memoryId, photo.poster_name));
      }
      result.moved.push({ ...photo, memory_id: memoryId, object_name: to, is_cover: false, position: null });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return result;
}

/** Moves photos from one memory to another; both show it at once. */
export function useMovePhotos(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ photos, to }: { photos: readonly Photo[]; to: string }) => movePhotos(client, photos, to),
    onSettled: async (_moved, _error, { photos, to }) => {
      const memories = new Set([to, ...photos.map(({ memory_id }) => memory_id)]);
      const changed = [...memories].flatMap((id) => [queryKeys.photos(id), queryKeys.memory(id)]);
      await refresh(cache, ...changed, queryKeys.memories());
    },
  });
}
