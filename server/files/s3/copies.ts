import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { folderCopies, type RemovableCopies } from "../copy-store.ts";
import { MissingBytesError } from "../object-store.ts";
import type { S3Bucket } from "./bucket.ts";
import type { PresignedUrls } from "./presigned.ts";

const nameIn = (version: string, name: string) => `copies/${version}/${name}`;

/** The maximum number of cached sizes and absences. */
const REMEMBERED = 10_000;
/** The local files are measured again when they have grown by this share of the limit. */
const SLACK = 0.1;

/**
 * Copies in an S3 bucket. The latest ones are cached in the local `folder`, up to about `cacheBytes`. Files being
 * written are not evicted for a day.
 */
export function s3Copies(
  bucket: S3Bucket,
  folder: string,
  cacheBytes: number,
  presigned?: PresignedUrls,
): RemovableCopies {
  const here = folderCopies(folder);
  const sizes = new Map<string, number>();
  let added = Number.POSITIVE_INFINITY;
  let trimming: Promise<void> | undefined;

  const remember = (id: string, size: number) => {
    sizes.set(id, size);
    const [oldest] = sizes.keys();
    if (sizes.size > REMEMBERED && oldest !== undefined) sizes.delete(oldest);
    return size;
  };
  const fetching = new Map<string, Promise<string | undefined>>();

  async function fetch(version: string, name: string): Promise<string | undefined> {
    const bytes = await bucket.get(nameIn(version, name));
    if (!bytes) return undefined;
    const path = join(await here.folder(version), name);
    const part = `${path}.${randomUUID()}.part`;
    try {
      await pipeline(bytes, createWriteStream(part));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await makeRoom(path);
    return path;
  }

  async function makeRoom(newest: string): Promise<void> {
    added += (await stat(newest).catch(() => ({ size: 0 }))).size;
    if (added < cacheBytes * SLACK) return;
    added = 0;
    trimming ??= trim(folder, cacheBytes, newest).finally(() => {
      trimming = undefined;
    });
    await trimming;
  }

  const namesOf = async (version: string) => {
    const names: string[] = [];
    for await (const { name } of bucket.list(nameIn(version, ""))) names.push(name);
    return names;
  };

  return {
    folder: here.folder,
    async keep(version, name) {
      const path = join(folder, version, name);
      await bucket.putFile(nameIn(version, name), path);
      await makeRoom(path);
    },
    async size(version, name) {
      const id = nameIn(version, name);
      const totalSize = (await here.size(version, name)) ?? sizes.get(id);
      if (totalSize !== undefined) return totalSize;
      const head = await bucket.head(id);
      return head && remember(id, head.size);
    },
    async local(version, name) {
      const localPath = await here.local(version, name);
      if (localPath) return localPath;
      const id = nameIn(version, name);
      const running = fetching.get(id) ?? fetch(version, name).finally(() => void fetching.delete(id));
      fetching.set(id, running);
      return running;
    },
    async open(key, name, size, range) {
      try {
        return await here.open(key, name, size, range);
      } catch (error) {
        if (!(error instanceof MissingBytesError)) throw error;
      }
      const bytes = await bucket.get(nameIn(key.version, name), range);
      if (!bytes) throw new MissingBytesError(key);
      return bytes;
    },
    ...(presigned && { url: (version, name, as) => presigned.urlOf(nameIn(version, name), as) }),
    async removeWhere(version, matches) {
      const folderName = nameIn(version, "");
      const names = (await namesOf(version)).filter((name) => matches(name.slice(folderName.length)));
      await bucket.remove(names);
      for (const name of names) sizes.delete(name);
      await here.removeWhere(version, matches);
    },
    async remove(version) {
      const names = await namesOf(version);
      await bucket.remove(names);
      for (const name of names) sizes.delete(name);
      await here.remove(version);
    },
    cached: here.versions,
    forgetCached: here.remove,
    async versions() {
      return [...new Set([...(await bucket.folders("copies/")), ...(await here.versions())])];
    },
  };
}

/** Older unfinished files are those of killed processes. */
const ABANDONED_MS = 86_400_000;

/** Removes the oldest files of `folder` until at most `most` bytes remain. `newest` stays: a request waits for it. */
async function trim(folder: string, most: number, newest: string): Promise<void> {
  await mkdir(dirname(newest), { recursive: true });
  const files: { path: string; size: number; at: number }[] = [];
  for (const version of await readdir(folder)) {
    for (const name of await readdir(join(folder, version)).catch(() => [])) {
      const path = join(folder, version, name);
      const facts = await stat(path).catch(() => undefined);
      const isWritten = name.endsWith(".part") && facts && facts.mtimeMs > Date.now() - ABANDONED_MS;
      if (facts && !isWritten && path !== newest) files.push({ path, size: facts.size, at: facts.mtimeMs });
    }
  }
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((one, other) => one.at - other.at)) {
    if (bytes <= most) return;
    await rm(path, { force: true });
    bytes -= size;
  }
}
