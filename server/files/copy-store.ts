import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type ByteRange, type BytesKey, MissingBytesError, readLocal } from "./object-store.ts";

/**
 * Files made from stored objects, by the version they are made from and their name. They are written into a local folder
 * under another name and renamed when they are whole; a whole one never changes.
 */
export interface CopyStore {
  /** The local folder in which copies of a version are written, made if need be. */
  folder(version: string): Promise<string>;
  /** Makes a whole copy that lies in the local folder last. */
  keep(version: string, name: string): Promise<void>;
  /** The bytes of a copy; undefined where there is none. */
  size(version: string, name: string): Promise<number | undefined>;
  /** A copy as a local file; undefined where there is none. It is there at least for a while. */
  local(version: string, name: string): Promise<string | undefined>;
  /** The bytes of a copy, or a range of them; rejects with `MissingBytesError`. */
  open(key: BytesKey, name: string, size: number, range?: ByteRange): Promise<Readable | Buffer>;
  /** Removes all copies of a version. */
  remove(version: string): Promise<void>;
  /** Every version that has copies. */
  versions(): Promise<string[]>;
}

/** Copies in a local folder, as `{folder}/{version}/{name}`. */
export function folderCopies(folder: string): CopyStore {
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
    remove: (version) => rm(join(folder, version), { recursive: true, force: true }),
    versions: () => readdir(folder).catch(() => []),
  };
}
