import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { folderStore, type ObjectStore } from "./object-store.ts";
import { openRenditions, type Renditions } from "./pictures/renditions.ts";
import { openVideos, type Videos } from "./videos/videos.ts";

/** Everything that storage keeps outside the database. */
export interface Files {
  objects: ObjectStore;
  renditions: Renditions;
  videos: Videos;
  activeUploads: ActiveUploads;
  /** A local folder for bytes on their way, named by the version they are to become. */
  parts: string;
}

/** Opens the bytes in `folder`; processes that share a database share it too. */
export async function openFiles(folder: string): Promise<Files> {
  const inside = async (name: string) => {
    await mkdir(join(folder, name), { recursive: true });
    // One spelling for every process, because uploads are locked by it.
    return realpath(join(folder, name));
  };
  const [parts, renditions, kept] = [await inside("parts"), await inside("renditions"), await inside("objects")];
  const objects = folderStore(kept);
  return {
    objects,
    renditions: openRenditions(renditions, objects),
    videos: openVideos(renditions, objects),
    activeUploads: countActiveUploads(),
    parts,
  };
}

/** Counts the uploads whose bytes are coming in. */
export interface ActiveUploads {
  /** Whether any is, in this process. */
  any(): boolean;
  /** Counts one while `work` goes on. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function countActiveUploads(): ActiveUploads {
  let now = 0;
  return {
    any: () => now > 0,
    async during(work) {
      now += 1;
      try {
        return await work();
      } finally {
        now -= 1;
      }
    },
  };
}
