import { useCallback } from "react";
import { useUser } from "../../lib/session/session.ts";
import { ownUploads } from "./queues.ts";

/** Adds files to the signed-in person's upload queue for a memory. */
export function useAddPhotos(memoryId: string) {
  const { id: who } = useUser();
  return useCallback(
    (files: File[], firstAsCover: boolean) => ownUploads().add({ who, memoryId, files, firstAsCover }),
    [who, memoryId],
  );
}
