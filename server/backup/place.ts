import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Bucket, S3Files, S3Service } from "../files/s3/bucket.ts";

/** A store of backups: files, with slashes in their names. A file is stored whole or not at all. */
export interface BackupPlace {
  /** Replaces an existing file. */
  write(name: string, bytes: Readable): Promise<void>;
  /** Rejects with the error code ENOENT if there is no such file. */
  read(name: string): Promise<Readable>;
  /** The file's size; undefined if there is none. */
  size(name: string): Promise<number | undefined>;
  /** The names of all files below a folder, in no order. */
  list(folder: string): AsyncIterable<string>;
  remove(name: string): Promise<void>;
  /** Removes every file below a folder. */
  removeFolder(name: string): Promise<void>;
  /** Removes incomplete uploads of files. */
  removeUnfinished(): Promise<void>;
  /** The name in messages. */
  title: string;
}

/** An error for the administrator who makes, checks or restores a backup. */
export class BackupError extends Error {}

export interface PlaceName {
  /** A folder, or `s3://bucket/prefix`. */
  to: string;
  service?: S3Service | undefined;
  /** The installation's own bucket, if its files are in one. */
  files?: S3Files | undefined;
}

/** Opens the folder or bucket; rejects if it is unusable. */
export async function openPlace({ to, service, files }: PlaceName): Promise<BackupPlace> {
  if (!to.startsWith("s3://")) return folderPlace(to);
  const [, bucket, path = ""] = to.match(/^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/) ?? [];
  if (!bucket) throw new BackupError(`${to} names no bucket. Write s3://bucket/prefix.`);
  if (!service)
    throw new BackupError("Set BACKUP_S3_REGION, and with other services than Amazon's BACKUP_S3_ENDPOINT.");
  // Backups and the installation use similar names, so removing files of one would remove those of the other.
  if (files?.bucket === bucket && files.endpoint === service.endpoint) {
    throw new BackupError(`The bucket ${bucket} holds the installation's files. Choose another one for backups.`);
  }
  // Loaded on demand, because the service's library takes a while to load.
  const { openUsableBucket } = await import("../files/s3/open-s3.ts");
  return bucketPlace(await openUsableBucket({ ...service, bucket }), path && `${path}/`, to);
}

/** Backups in a bucket, under names that begin with a prefix. */
function bucketPlace(bucket: S3Bucket, prefix: string, title: string): BackupPlace {
  async function* list(folder: string) {
    for await (const { name } of bucket.list(`${prefix}${folder && `${folder}/`}`)) yield name.slice(prefix.length);
  }
  return {
    title,
    write: (name, bytes) => bucket.putStream(prefix + name, bytes),
    async read(name) {
      const bytes = await bucket.get(prefix + name);
      if (!bytes) throw Object.assign(new Error(`There is no ${name} in ${title}`), { code: "ENOENT" });
      return bytes;
    },
    size: async (name) => (await bucket.head(prefix + name))?.size,
    list,
    remove: (name) => bucket.remove([prefix + name]),
    async removeFolder(folder) {
      const names: string[] = [];
      for await (const name of list(folder)) names.push(prefix + name);
      await bucket.remove(names);
    },
    async removeUnfinished() {
      for await (const { name, id } of bucket.uploads(prefix)) await bucket.abortUpload(name, id);
    },
  };
}

const PART = ".part";

/** Backups in a local folder. */
export function folderPlace(folder: string): BackupPlace {
  async function* everything(below: string) {
    const files = await opendir(join(folder, below), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    for await (const entry of files ?? []) {
      if (entry.isFile()) yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
    }
  }
  return {
    title: folder,
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      // Two objects with the same bytes may be copied at once.
      const part = `${path}.${randomUUID()}${PART}`;
      await pipeline(bytes, createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, path);
      await syncFolder(dirname(path));
    },
    async read(name) {
      const file = await open(join(folder, name));
      return file.createReadStream({ highWaterMark: 256 * 1024 });
    },
    size: (name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => undefined,
      ),
    async *list(below) {
      for await (const name of everything(below)) if (!name.endsWith(PART)) yield name;
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    removeFolder: (name) => rm(join(folder, name), { force: true, recursive: true }),
    async removeUnfinished() {
      for await (const name of everything("")) if (name.endsWith(PART)) await rm(join(folder, name), { force: true });
    },
  };
}

/** Makes a folder's entries durable, on systems that can open folders. */
async function syncFolder(path: string) {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Writes a small text file. */
export const textFile = (text: string): Readable => Readable.from([Buffer.from(text)]);

/** The content of a small file. Rejects if it has more than `most` bytes. */
export async function contentOf(stream: Readable, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) throw new BackupError("A file of the backup is too large.");
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
