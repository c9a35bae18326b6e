import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Where backups lie: files by names with slashes. A file is there whole or not at all. */
export interface BackupPlace {
  /** Replaces what was there under this name. */
  write(name: string, bytes: Readable): Promise<void>;
  /** Rejects with an error of the code ENOENT where there is no such file. */
  read(name: string): Promise<Readable>;
  /** Its bytes; undefined where there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** The names of all files below a folder, in no order. */
  list(folder: string): AsyncIterable<string>;
  remove(name: string): Promise<void>;
  /** Removes every file below a folder. */
  removeFolder(name: string): Promise<void>;
  /** For messages. */
  title: string;
}

const PART = ".part";

/** Backups in a local folder. */
export function folderPlace(folder: string): BackupPlace {
  return {
    title: folder,
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(bytes, createWriteStream(`${path}${PART}`, { mode: 0o600, flush: true }));
      await rename(`${path}${PART}`, path);
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
      const files = await opendir(join(folder, below), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      for await (const entry of files ?? []) {
        if (!entry.isFile() || entry.name.endsWith(PART)) continue;
        yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    removeFolder: (name) => rm(join(folder, name), { force: true, recursive: true }),
  };
}

/** Makes a folder's names survive a loss of power, where the system lets folders be opened. */
async function syncFolder(path: string) {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** A text as a file of it. */
export const textFile = (text: string): Readable => Readable.from([Buffer.from(text)]);

/** The content of a small file. */
export async function contentOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
