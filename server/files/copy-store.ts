import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type ByteRange, type BytesKey, MissingBytesError, readLocal, type SentAs } from "./object-store.ts";

/**
 * Files derived from stored objects, by the object's version and a name. They are written to a local folder under a
 * temporary name and renamed when complete; a complete file never changes.
 */
export interface CopyStore {
  /** The local folder for writing copies of a version, created if missing. */
  folder(version: string): Promise<string>;
  /** Stores a complete copy from the local folder. */
  keep(version: string, name: string): Promise<void>;
  /** The size of a copy; undefined if there is none. */
  size(version: string, name: string): Promise<number | undefined>;
  /** A copy as a local file, available for a while; undefined if there is none. */
  local(version: string, name: string): Promise<string | undefined>;
  /** The bytes of a copy or of a range; rejects with `MissingBytesError`. */
  open(key: BytesKey, name: string, size: number, range?: ByteRange): Promise<Readable | Buffer>;
  /** A URL of a copy at the object storage service, as in `ObjectStore`. */
  url?(version: string, name: string, as: SentAs): Promise<string>;
  /** Removes those copies of a version whose name matches. They can be made again. */
  removeWhere(version: string, matches: (name: string) => boolean): Promise<void>;
  /** All versions with copies. */
  versions(): Promise<string[]>;
  /** The versions of which this machine has copies that also lie in the object storage; absent for a folder. */
  cached?(): Promise<string[]>;
  /** Removes this machine's copies of a version. */
  forgetCached?(version: string): Promise<void>;
}

/** A store of which only `Files.removeBytes` removes all copies of a version. */
export interface RemovableCopies extends CopyStore {
  /** Removes all copies of a version. */
  remove(version: string): Promise<void>;
}

/** Copies in a local folder, as `{folder}/{version}/{name}`. */
export function folderCopies(folder: string): RemovableCopies {
  const pathOf = (version: string, name: string) => join(folder, version, name);
  const size = (version: string, name: string) =>
    stat(pathOf(version, name)).then(
      (facts) => facts.size,
      () => undefined,
    );
  return {
    async folder(version) {
      const inside = join(folder, version);
      await mkdir(inside, { recursive: true });
      return inside;
    },
    keep: async () => {},
    size,
    local: async (version, name) => ((await size(version, name)) === undefined ? undefined : pathOf(version, name)),
    open: (key, name, bytes, range) =>
      readLocal(pathOf(key.version, name), bytes, range).catch((cause) => {
        throw new MissingBytesError(key, { cause });
      }),
    async removeWhere(version, matches) {
      const names = await readdir(join(folder, version)).catch(() => []);
      for (const name of names) if (matches(name)) await rm(pathOf(version, name), { force: true });
    },
    remove: (version) => rm(join(folder, version), { recursive: true, force: true }),
    versions: () => readdir(folder).catch(() => []),
  };
}
