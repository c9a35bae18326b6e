import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { unwatched, type WatchCalls } from "../http/watch-calls.ts";
import { type CopyStore, folderCopies, type RemovableCopies } from "./copy-store.ts";
import { type BytesKey, folderStore, type ObjectStore, type RemovableObjects } from "./object-store.ts";
import type { DecodeSequence } from "./pictures/avif-sequence.ts";
import { openRenditions, type Renditions } from "./pictures/renditions.ts";
import type { S3Files } from "./s3/bucket.ts";
import { folderIncoming, type IncomingBytes, type RemovableIncoming } from "./uploads/incoming.ts";
import { openVideos, type Videos } from "./videos/videos.ts";

/** The stores of everything outside the database. */
export interface Files {
  objects: ObjectStore;
  incoming: IncomingBytes;
  copies: CopyStore;
  renditions: Renditions;
  videos: Videos;
  activeUploads: ActiveUploads;
  /**
   * Removes everything of these versions: originals, received parts and copies. Only `remove-bytes.ts` calls it, after
   * the database has decided.
   */
  removeBytes(keys: BytesKey[]): Promise<void>;
  /** Removes only the received parts of these versions. Called by `remove-bytes.ts` for those whose object is stored. */
  removeParts(keys: BytesKey[]): Promise<void>;
  /** A local folder for incoming bytes, named by their future version. */
  parts: string;
  /** Whether processes on several machines may share the objects. */
  isShared: boolean;
  close(): void;
}

export interface FilesOptions {
  watch?: WatchCalls | undefined;
  /** Decodes animated AVIFs, which stand still without it. */
  decodeSequence?: DecodeSequence | undefined;
}

/**
 * Opens the stores in `folder`, or in a bucket with `s3`; then the folder contains only a cache and uploads in
 * progress. Processes that share a database share the folder or the bucket, too. Rejects if the bucket is unusable.
 */
export async function openFiles(
  folder: string,
  s3?: S3Files,
  { watch = unwatched, decodeSequence }: FilesOptions = {},
): Promise<Files> {
  const inside = async (name: string) => {
    await mkdir(join(folder, name), { recursive: true });
    // All processes need the same path, because it names the locks of uploads.
    return realpath(join(folder, name));
  };
  const parts = await inside("parts");
  if (s3) {
    // Loaded on demand, because the service's library takes a while to load.
    const { openS3 } = await import("./s3/open-s3.ts");
    const { close, ...stores } = await openS3(s3, parts, await inside("cache"));
    return { ...filesIn(stores, watch, decodeSequence), parts, isShared: true, close };
  }
  const [renditions, originals] = [await inside("renditions"), await inside("objects")];
  const objects = folderStore(originals);
  const stores = { objects, copies: folderCopies(renditions), incoming: folderIncoming(parts, objects) };
  return { ...filesIn(stores, watch, decodeSequence), parts, isShared: false, close: () => {} };
}

interface Stores {
  objects: RemovableObjects;
  copies: RemovableCopies;
  incoming: RemovableIncoming;
}

/** The number of versions whose bytes are removed at the same time. */
const REMOVED_AT_ONCE = 8;

/** An empty or relative name would remove a folder. */
const isVersion = ({ version }: BytesKey) => /^[\w-]+$/.test(version);

async function inTurns(keys: BytesKey[], work: (key: BytesKey) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE) {
    await Promise.all(keys.slice(at, at + REMOVED_AT_ONCE).map(work));
  }
}

function filesIn(stores: Stores, watch: WatchCalls, decodeSequence?: DecodeSequence) {
  const objects = watch("objects", stores.objects, ["put", "read", "local", "send", "source", "has", "remove"]);
  const copies = watch("copies", stores.copies, ["keep", "size", "local", "open", "removeWhere", "remove"]);
  const steps = ["begin", "write", "received", "copy", "complete", "keep", "remove"] as const;
  const incoming = watch("incoming", stores.incoming, steps);
  return {
    objects,
    copies,
    incoming,
    async removeBytes(keys: BytesKey[]) {
      const versions = keys.filter(isVersion);
      await objects.remove(versions.filter(({ bucket }) => bucket !== ""));
      await inTurns(versions, (key) => Promise.all([incoming.remove(key), copies.remove(key.version)]));
    },
    removeParts: (keys: BytesKey[]) => inTurns(keys.filter(isVersion), (key) => incoming.remove(key)),
    renditions: openRenditions(copies, objects, decodeSequence),
    videos: openVideos(copies, objects),
    activeUploads: countActiveUploads(),
  };
}

/** Counts the uploads that are receiving bytes in this process. */
export interface ActiveUploads {
  any(): boolean;
  /** Counts one upload during `work`. */
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
