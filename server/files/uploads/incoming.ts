import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BytesKey, ObjectStore, StoredKey } from "../object-store.ts";
import type { Digests } from "./digesting.ts";
import { digestsOf, readBehind } from "./digests.ts";
import { from, type Source, type Writing, writePart } from "./write-part.ts";

/** Bytes of uploads in progress, by their future key. Only one request at a time writes to a key. */
export interface IncomingBytes {
  /** Prepares for bytes that come in several requests. */
  begin(key: BytesKey): Promise<void>;
  /**
   * Appends bytes at offset `at`, the end of the last write. They are durable once this resolves. Only the last bytes
   * of an upload may become durable later, at the latest when `keep` resolves.
   */
  write(key: BytesKey, source: Source, writing: WholeWriting): Promise<void>;
  /** The number of received bytes out of `size`; undefined if they were removed. */
  received(key: BytesKey, size: number): Promise<number | undefined>;
  /** Copies a stored object to complete bytes under another key. */
  copy(source: BytesKey, key: BytesKey): Promise<void>;
  /** The complete bytes, for checks before they are kept. Rejects with `MissingBytesError`. */
  complete(key: BytesKey): Promise<CompleteBytes>;
  /** Keeps the complete bytes as the object of their key, durably. */
  keep(key: BytesKey): Promise<void>;
  /** The keys of all received bytes that were not written to since `before`; the bucket may be unknown and empty. */
  keys(before: Date): AsyncIterable<StoredKey>;
  /** Removes local copies of killed processes that were not written to since `before`. They are never the only ones. */
  removeScratch(before: Date): Promise<void>;
}

/** Incoming bytes, which only `Files.removeBytes` and `Files.removeParts` remove. */
export interface RemovableIncoming extends IncomingBytes {
  /** Removes received bytes that were not kept. */
  remove(key: BytesKey): Promise<void>;
}

/** Complete bytes, which the caller has to release. */
export interface CompleteBytes {
  digests(): Promise<Digests>;
  /** The path of a local file with them, downloaded if necessary; valid until they are released. */
  path(): Promise<string>;
  release(): Promise<void>;
}

export type WholeWriting = Writing & {
  /** The total number of bytes; if absent, the end of the source is the end of the upload. */
  size?: number;
  /** The number of bytes in this request, if known. */
  expected?: number | undefined;
};

/** The interval in bytes at which the digest thread reads the new part of the file. */
const BEHIND_BYTES = 4 * 1024 * 1024;

/** Receives bytes into files of the local folder `parts`, named by their version, before they move to `objects`. */
export function folderIncoming(parts: string, objects: ObjectStore): RemovableIncoming {
  const pathOf = ({ version }: BytesKey) => join(parts, version);
  return {
    begin: (key) => writeFile(pathOf(key), ""),
    async write(key, source, { passing, ...writing }) {
      let reportedBytes = writing.at ?? 0;
      await writePart(pathOf(key), source, {
        ...writing,
        passing(chunk, written) {
          passing?.(chunk, written);
          if (written - reportedBytes < BEHIND_BYTES) return;
          reportedBytes = written;
          readBehind(pathOf(key), written);
        },
      });
    },
    async received(key, size) {
      const facts = await stat(pathOf(key)).catch(() => undefined);
      if (facts) return facts.size;
      return (await objects.has(key)) ? size : undefined;
    },
    async copy(source, key) {
      try {
        await writePart(pathOf(key), from(await objects.read(source)), { begins: true });
      } catch (error) {
        await rm(pathOf(key), { force: true });
        throw error;
      }
    },
    async complete(key) {
      // A killed process moved the bytes but did not store the row. They are copied back for another check.
      if (!(await stat(pathOf(key)).catch(() => undefined))) {
        const copy = `${pathOf(key)}.${randomUUID()}`;
        await writePart(copy, from(await objects.read(key)), { begins: true });
        await rename(copy, pathOf(key));
      }
      return { path: async () => pathOf(key), digests: () => digestsOf(pathOf(key)), release: async () => {} };
    },
    keep: (key) => objects.put(key, pathOf(key)),
    remove: (key) => rm(pathOf(key), { force: true }),
    keys: (before) => partsIn(parts, before),
    removeScratch: (before) => removeScratch(parts, before),
  };
}

/** Local copies have the name of a version and a random ending; received bytes have only the version. */
const isScratch = (name: string) => name.includes(".");

/** The received bytes in `folder` that were not written to since `before`. */
export async function* partsIn(folder: string, before: Date): AsyncGenerator<StoredKey> {
  for (const version of await readdir(folder)) {
    const facts = isScratch(version) ? undefined : await stat(join(folder, version)).catch(() => undefined);
    if (facts && facts.mtime < before) yield { bucket: "", version, storedAt: facts.mtime };
  }
}

/** Removes the local copies in `folder` that were not written to since `before`. */
export async function removeScratch(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = isScratch(name) ? await stat(path).catch(() => undefined) : undefined;
    if (facts && facts.mtime < before) await rm(path, { recursive: true, force: true });
  }
}
